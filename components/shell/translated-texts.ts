/**
 * Keeps a page right while the browser translates it. A translator replaces each text node by an element with other words.
 * React keeps the node: what it writes into it later is not seen, so that a price would stand still, and it fails when it
 * removes the node or inserts something before it (https://github.com/facebook/react/issues/11538). Here each such node
 * knows the element that stands in for it. When React writes the node, it returns to its place, with the new text, which
 * the translator then translates again.
 *
 * Elements of figures are not translated at all: see `components/ui/figure.tsx`. This is for words, and for figures among
 * them. A page that is not translated pays for one observer of added and removed nodes.
 */
export function keepTranslatedTexts(root: Node): void {
  const changes = new MutationObserver(follow);
  changes.observe(root, { childList: true, subtree: true });
}

/** The elements of each text that was replaced; some translators use several. */
const standIns = new WeakMap<Node, readonly Element[]>();
const texts = new WeakMap<Element, Node>();
/** The elements of Chrome and Edge, and those of Yandex. Nothing else writes them. */
const TAGS: readonly string[] = ["FONT", "YA-TR-SPAN"];
let isPatched = false;

function follow(records: readonly MutationRecord[], changes: MutationObserver): void {
  for (const record of records) {
    if (record.type === "characterData") restore(record.target);
    else {
      for (const node of record.addedNodes) if (node instanceof Text) removeStandIn(node);
      for (const node of record.removedNodes) if (node instanceof Text) findStandIn(node, record, changes);
    }
  }
}

/** A translator inserts its element beside a text and then removes the text, or replaces one by the other. */
function findStandIn(text: Text, record: MutationRecord, changes: MutationObserver): void {
  if (text.isConnected) return;
  const added = [...record.addedNodes].filter(isStandIn);
  const found = added.length > 0 ? added : [record.previousSibling, record.nextSibling].filter(isStandIn).slice(0, 1);
  if (found.length === 0) return;
  patchOnce();
  standIns.set(text, found);
  for (const each of found) texts.set(each, text);
  changes.observe(text, { characterData: true });
}

/** An element of a translator that no other text has. */
const isStandIn = (node: Node | null): node is Element =>
  node instanceof Element && TAGS.includes(node.tagName) && !texts.has(node);

function removeAll(elements: readonly Element[] = []): void {
  for (const element of elements) element.remove();
}

/** Puts a text that was written back in its place. */
function restore(text: Node): void {
  const [first, ...others] = standIns.get(text) ?? [];
  standIns.delete(text);
  if (first === undefined || !first.isConnected || text.isConnected) return;
  first.replaceWith(text);
  removeAll(others);
}

/** React moved the text, or the translator shows the original. */
function removeStandIn(text: Text): void {
  if (text.isConnected) removeAll(standIns.get(text));
  standIns.delete(text);
}

/**
 * Lets React remove a text that was replaced, and insert nodes before it. Only from the first translated text on, so that
 * other pages have the browser's own functions.
 */
function patchOnce(): void {
  if (isPatched) return;
  isPatched = true;
  // They are called with their own `this` below.
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this || !isReplaced(child)) return removeChild.call(this, child) as Child;
    removeAll(standIns.get(child));
    standIns.delete(child);
    return child;
  };
  Node.prototype.insertBefore = function insert<Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    if (next === null || next.parentNode === this || !isReplaced(next)) {
      return insertBefore.call(this, child, next) as Child;
    }
    const standIn = standIns.get(next)?.find(({ parentNode }) => parentNode === this) ?? null;
    return insertBefore.call(this, child, standIn) as Child;
  };
}

/** A text that is in no document. Some translators also join texts, which leaves one without a place. */
const isReplaced = (node: Node) => node instanceof Text && node.parentNode === null;
