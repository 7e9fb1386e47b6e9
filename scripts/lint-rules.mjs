// The project's own lint rules, loaded by .oxlintrc.json. Hand-written because oxlint has no `no-restricted-syntax`,
// and no plugin has these rules.

const ADVICE =
  'Never put SQL together from text: pass values through the sql`…` template, which binds them, and names through sql.ref or sql.table.';

/** Returns whether a text is constant. @param {any} node @returns {boolean} */
function isFixed(node) {
  if (node.type === 'Literal') return true;
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  return node.type === 'BinaryExpression' && isFixed(node.left) && isFixed(node.right);
}

/** @param {any} node */
const isConcatenated = (node) => ['TemplateLiteral', 'BinaryExpression'].includes(node.type) && !isFixed(node);

const noSqlFromText = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    return {
      CallExpression(/** @type {any} */ call) {
        const [text] = call.arguments;
        const { object, property } = call.callee.type === 'MemberExpression' ? call.callee : {};
        if (!text || property?.type !== 'Identifier') return;
        const raw = object.type === 'Identifier' && object.name === 'sql' && property.name === 'raw';
        if (raw ? !isFixed(text) : property.name === 'query' && isConcatenated(text)) {
          context.report({ node: text, message: ADVICE });
        }
      },
    };
  },
};

/** Reports the app's addresses, but not the API's, nor "/" outside of links. */
const addressesInPaths = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const check = (/** @type {any} */ node, /** @type {unknown} */ text) => {
      const { type, name, key } = node.parent;
      const isTarget = ['JSXAttribute', 'Property'].includes(type) && ['to', 'href'].includes((name ?? key).name);
      if (typeof text === 'string' && (isTarget ? /^\// : /^\/(?!api\/)[a-z]/).test(text))
        context.report({
          node,
          message: 'Addresses of the app belong in web/src/lib/paths.ts: import this one from there.',
        });
    };
    return {
      Literal: (/** @type {any} */ node) => check(node, node.value),
      TemplateLiteral: (/** @type {any} */ node) => check(node, node.quasis[0].value.cooked),
    };
  },
};

export default {
  meta: { name: 'hourshare' },
  rules: { 'no-sql-from-text': noSqlFromText, 'addresses-in-paths': addressesInPaths },
};
