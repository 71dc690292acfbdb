"""The wire front: SimCord's Discord behind real HTTP and a real gateway, on loopback.

The bot's own command line runs against it as a process of its own (`program.Program`), people
press and type (`people.Wire`), and Discord can have bad days (`faults.Faults`, `gateway`):

    async with Front() as front, Program(front, folder) as program:
        await program.start()
        wire = Wire(front)
        ann, ben, cat = wire.join(wire.guild(), "Ann", "Ben", "Cat")
        channel = wire.channel()
        answer = await ann.slash(channel, "newgame", game="aufundab", seats=3)

Every rule (limits, permissions, error codes, who sees what) is SimCord's; what is ours only
carries it.  SimCord's internal names are used in `sim.py` alone; its version is pinned.
"""
