// In the simulated Discord a link to a message leads to it there: nothing leaves this computer.
"use strict";

/** @param {MouseEvent} event */
function lead(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const place = /^https:\/\/discord\.com\/channels\/[^/]+\/\d+\/?(\d*)/.exec(link?.href ?? "");
  if (!place) return;
  event.preventDefault();
  // The page's list of messages names it too.
  const message = place[1] && document.querySelector(`article[data-message-id="${place[1]}"]`);
  if (message) message.scrollIntoView({ block: "start" });
  else alert("That message is not on this page. The start page leads to the table.");
}

document.addEventListener("click", lead, true);
document.addEventListener("auxclick", lead, true);
