/** What is said once to people who listen: one polite live region for the whole site. */

let region: HTMLElement | null = null;

/** The element that screen readers watch. */
export function listenAt(element: HTMLElement): void {
  region = element;
}

/** Say something once; sentences that come together are kept together. */
export function announce(words: string): void {
  if (!region || !words) return;
  const line = document.createElement('p');
  line.textContent = words;
  region.append(line);
  while (region.childElementCount > 6) region.firstElementChild?.remove();
}
