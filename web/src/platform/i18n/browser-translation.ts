// Translators of browsers put elements in the place of text, or around it. React, which keeps the text, would fail to remove it, or to
// put something before it, and change text that no one sees (https://github.com/facebook/react/issues/11538).

/** What a translator put in the place of a text. */
const standIns = new WeakMap<Node, Element>();

const isWrapper = (node: Node | null | undefined): node is Element => node?.nodeName === 'FONT';

function recordStandIns(records: MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      if (node.nodeType !== Node.TEXT_NODE) continue;
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isWrapper);
      if (standIn) standIns.set(node, standIn);
    }
}

/** Returns the child of a parent in which a text is now, or which stands for it. */
function childFor(parent: Node, text: Node): Node | null {
  let node: Node | null = parent.contains(text) ? text : (standIns.get(text) ?? null);
  while (node && node.parentNode !== parent) node = node.parentNode;
  return node;
}

/** Lets React find text that a translator replaced. */
export function surviveTranslation(): void {
  const observer = new MutationObserver(recordStandIns);
  observer.observe(document.documentElement, { childList: true, subtree: true });
  const { prototype } = Node;
  // oxlint-disable-next-line unbound-method -- called with a node below
  const { removeChild, insertBefore } = prototype;
  // Of Node in browsers, and of CharacterData where tests run.
  const valued = [CharacterData.prototype, prototype].find((each) => Object.hasOwn(each, 'nodeValue')) ?? prototype;
  const nodeValue = Object.getOwnPropertyDescriptor(valued, 'nodeValue');

  prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    let removed: Node | null = child;
    if (child.parentNode !== this) {
      recordStandIns(observer.takeRecords());
      removed = childFor(this, child);
    }
    if (removed) removeChild.call(this, removed);
    return child;
  };
  prototype.insertBefore = function insert<T extends Node>(this: Node, node: T, next: Node | null): T {
    let before = next;
    if (next && next.parentNode !== this) {
      recordStandIns(observer.takeRecords());
      before = childFor(this, next);
    }
    insertBefore.call(this, node, before);
    return node;
  };
  Object.defineProperty(valued, 'nodeValue', {
    ...nodeValue,
    set(this: Node, value: string | null) {
      nodeValue?.set?.call(this, value);
      if (this.isConnected || this.nodeType !== Node.TEXT_NODE) return;
      recordStandIns(observer.takeRecords());
      // The translator translates it once more.
      standIns.get(this)?.replaceWith(this);
      standIns.delete(this);
    },
  });
}
