// Makes an element of a page; texts are never read as HTML.

export function element(tag, { label, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  if (label) made.setAttribute("aria-label", label);
  made.append(...children);
  return made;
}
