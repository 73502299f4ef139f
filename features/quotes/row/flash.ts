/** How long a moved price is tinted: less than the time between two updates of the board, so that each update shows. */
const FLASH_MS = 180;

let lit: Element[] = [];

/**
 * Tints an element for a moment. All that are tinted in one update end together. An animation for each would cost style,
 * layers and paint in every frame: with a hundred prices, more than everything else on the board.
 */
export function flash(element: Element): void {
  if (lit.length === 0) setTimeout(end, FLASH_MS);
  lit.push(element);
  element.setAttribute("data-flash", "");
}

function end(): void {
  for (const element of lit) element.removeAttribute("data-flash");
  lit = [];
}
