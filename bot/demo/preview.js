// What we add to the page of the simulated Discord.
// A link to a message leads to it there: nothing leaves this computer.
// A picture that has not come yet takes its room and says nothing: where it takes another one's
// place, that one is kept until it is there.  One that is refused is asked for again.
// Whoever is at the end stays there, and is led to the answer to what they have pressed.
"use strict";

const style = new CSSStyleSheet();
style.replaceSync(`
  img:not([src]) { opacity: 0; overflow: hidden; }
  .custom-emoji:not([src]) { display: inline-block; }
  .gallery-image:not(.there) { aspect-ratio: 5 / 3; }
  .media-unavailable { aspect-ratio: 5 / 3; color: transparent; border-color: transparent; }
  .media-lightbox-trigger:has(> .kept) { position: relative; }
  .kept { position: absolute; inset: 0; }`);
document.adoptedStyleSheets.push(style);

const list = document.querySelector("#channel-message-list");
const timeline = document.querySelector("#channel-timeline");
const ANSWERED = 5000; // milliseconds from a press within which what comes is its answer

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

// Pictures

const ask = window.fetch.bind(window);
const AGAIN = [300, 1000]; // milliseconds until a picture that did not come is asked for again

// Whoever waits for a picture is refused where its message is drawn anew meanwhile.
/** @param {RequestInfo | URL} what @param {RequestInit} [how] */
window.fetch = async (what, how) => {
  for (const pause of String(what).startsWith("/api/assets/") ? AGAIN : []) {
    const answer = await ask(what, how).catch(() => null);
    if (answer?.ok) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
  return ask(what, how);
};

/** @param {NodeList} gone @returns {HTMLImageElement[]} those that were seen, in their order */
function seen(gone) {
  return [...gone].flatMap((node) => (node instanceof Element
    ? [...node.querySelectorAll(".gallery-image.there, .kept")] : []));
}

/** @param {Element} message @param {HTMLImageElement[]} before */
function keep(message, before) {
  message.querySelectorAll(".gallery-image:not(.kept)").forEach((picture, number) => {
    const old = before[number];
    if (!old || picture.classList.contains("there")) return;
    old.className = "gallery-image there kept";
    old.alt = "";
    picture.style.aspectRatio = `${old.naturalWidth} / ${old.naturalHeight}`;
    picture.after(old);
  });
}

document.addEventListener("load", ({ target }) => {
  if (!(target instanceof Element) || !target.matches(".gallery-image")) return;
  target.classList.add("there");
  target.style.aspectRatio = "";
  target.parentElement?.querySelector(".kept")?.remove();
}, true);

// The end of the page, and answers

const NOTHING = { at: -Infinity, message: "" };
let pressed = NOTHING;
let atEnd = true;

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("article button") : null;
  const message = button?.closest("article")?.dataset.messageId;
  if (message) pressed = { at: performance.now(), message };
}, true);
for (const moved of ["wheel", "touchmove"]) {
  timeline.addEventListener(moved, () => { pressed = NOTHING; }, { passive: true });
}

function toEnd() {
  timeline.scrollTop = timeline.scrollHeight;
}

/** @param {Element} message that is new, or drawn anew */
function answer(message) {
  if (performance.now() - pressed.at > ANSWERED) return;
  if (!message.querySelector(".message-ephemeral-note")) return;
  const last = message === list.lastElementChild;
  // Of one that is higher than the page its beginning: there stands what has happened.
  if (message.clientHeight > timeline.clientHeight) {
    message.scrollIntoView({ block: "start" });
    atEnd = false;
  } else if (last) toEnd();
  if (last) document.querySelector("#new-messages").hidden = true;
}

/** @param {Node} node */
function answerWith(node) {
  if (!(node instanceof Element) || node !== list.lastElementChild) return;
  answer(node);
  pressed = NOTHING; // what was pressed in is not led back to
}

/** @param {Node} target */
function answerIn(target) {
  const message = target instanceof Element ? target.closest("article") : null;
  if (message && message.dataset.messageId === pressed.message) answer(message);
}

timeline.addEventListener("scroll", () => {
  atEnd = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight <= 1;
}, { passive: true });
new ResizeObserver(() => { if (atEnd) toEnd(); }).observe(list);
new MutationObserver((changes) => {
  for (const { target, addedNodes, removedNodes } of changes) {
    if (target === list) addedNodes.forEach(answerWith);
    else {
      keep(target, seen(removedNodes));
      answerIn(target);
    }
  }
}).observe(list, { childList: true, subtree: true });
