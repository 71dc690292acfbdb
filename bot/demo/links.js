// In the simulated Discord a link to a message leads to it there: nothing leaves this computer.
// A picture that has not come yet takes its room, about as high as a table, and says nothing.
"use strict";

const late = new CSSStyleSheet();
late.replaceSync(`
  img:not([src]) { opacity: 0; overflow: hidden; }
  .custom-emoji:not([src]) { display: inline-block; }
  .gallery-image:not([src]) { aspect-ratio: 5 / 3; }`);
document.adoptedStyleSheets.push(late);

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
