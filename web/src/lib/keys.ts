/** The keys of a match page, wherever the focus is. */
import type { Table } from './table.svelte';

/** Do what a key means; keys typed into a field, or pressed in a panel, mean nothing here. */
export function keys(event: KeyboardEvent, table: Table, help: () => void): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) return;
  const { building, live } = table;
  const deeds: Record<string, () => void> = {
    Escape: () => escape(table),
    u: () => building.isPending && building.undo(),
    s: () => void (table.isSetup ? table.ready() : building.send()),
    d: () => building.done(),
    f: () => table.turn(2),
    '?': help,
    ArrowLeft: () => live.lookAt(live.shownCount - 1),
    ArrowRight: () => live.lookAt(live.shownCount + 1),
    ArrowUp: () => live.lookAt(0),
    ArrowDown: () => live.lookAt(live.count),
  };
  const deed = deeds[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!deed || (event.key.startsWith('Arrow') && target.closest('[role="radiogroup"]'))) return;
  if (event.key !== 'Escape') event.preventDefault();
  deed();
}

/** Let go; where nothing is held, take back an action that cannot stand alone. */
function escape({ building, army }: Table): void {
  if (army) army.held = null;
  if (building.touches.length) building.release();
  else if (building.isPending && !building.canSend && !building.isSending) building.undo();
}
