// The server's own lint rule, loaded by .oxlintrc.json. Hand-written because oxlint has no `no-restricted-syntax`.

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

export default {
  meta: { name: 'hourshare-server' },
  rules: { 'no-sql-from-text': noSqlFromText },
};
