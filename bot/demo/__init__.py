"""`stammtisch demo`: the real bot against a simulated Discord in the browser.

`world` is the simulated server with its people, `page` the start page; `show` runs both until
it is told to stop.
"""
