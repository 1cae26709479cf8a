/** Where the focus goes when a button goes away that had it: to the board, not to nowhere. */

/** Watch over the buttons within an element: one that is pressed by keys may be gone, or disabled, the next moment. */
export function onward(element: HTMLElement): () => void {
  let last: Element | null = null;
  const focused = (event: FocusEvent) => (last = event.target as Element);
  const left = (event: FocusEvent) => {
    if (event.relatedTarget) last = null;
  };
  const watcher = new MutationObserver(() => {
    if (!last || (last.isConnected && last.matches(':enabled'))) return;
    last = null;
    document.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus();
  });
  watcher.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  element.addEventListener('focusin', focused);
  element.addEventListener('focusout', left);
  return () => {
    watcher.disconnect();
    element.removeEventListener('focusin', focused);
    element.removeEventListener('focusout', left);
  };
}
