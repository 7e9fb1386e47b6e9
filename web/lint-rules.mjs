// The web app's own lint rules, loaded by .oxlintrc.json. Hand-written because oxlint has no `no-restricted-syntax`, and no
// plugin has these rules.

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
          message: 'Addresses of the app belong in web/src/platform/paths.ts: import this one from there.',
        });
    };
    return {
      Literal: (/** @type {any} */ node) => check(node, node.value),
      TemplateLiteral: (/** @type {any} */ node) => check(node, node.quasis[0].value.cooked),
    };
  },
};

/** Attributes that no one reads, or whose values are words of the code. */
const UNREAD_ATTRIBUTES =
  /^(?:className|id|key|type|role|to|href|src|rel|name|autoComplete|autoCapitalize|inputMode|enterKeyHint|look|size|align|side|as|htmlFor|d|viewBox|data-.*|aria-(?:hidden|live|controls|labelledby|describedby|current|haspopup|relevant|atomic|autocomplete))$/i;
/** Calls that take words of the code, or that only the log shows. */
const UNREAD_CALLS =
  /^(?:t|rich|Error|TypeError|logError|classes|withMessages|lazyRouteComponent|querySelector(?:All)?|getElementById|closest|addEventListener|removeEventListener|matchMedia|(?:get|set|remove)Item|RegExp|String\.raw)$/;
const UNREAD_PARENTS = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSLiteralType',
  'SwitchCase',
  'TSImportType',
]);
const WORD = /\p{L}{2}/u;
/** "Save", "Save Changes", "No one yet." but no "LandingPage" and no "GET /api". */
const SENTENCE = /^\P{L}*\p{Lu}\p{Ll}+(?:[^\p{L}\p{N}_]|$)/u;
/** "per month", "of them", but no class names, which have hyphens, colons, brackets or digits somewhere. */
const WORDS = /^[\p{L}\s.,!?…’'()“”·–—]*\p{Ll} [\p{L}\s.,!?…’'()“”·–—]*$/u;

/** Reports what people read and no catalog has (docs/decisions/0050-message-catalogs.md). */
const textInCatalog = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const report = (/** @type {any} */ node) =>
      context.report({
        node,
        message:
          "Text that people read belongs in a catalog: write it as t('…') or rich('…') of web/src/platform/i18n/messages.ts.",
      });

    /** Returns whether a value is a child of an element, and so on the screen. @param {any} node @returns {boolean} */
    function isShown(node) {
      const { parent } = node;
      if (parent.type === 'JSXExpressionContainer') return parent.parent.type !== 'JSXAttribute';
      if (parent.type === 'ConditionalExpression') return parent.test !== node && isShown(parent);
      return parent.type === 'LogicalExpression' && parent.right === node && isShown(parent);
    }

    /** Returns whether a literal stands where nothing is shown. @param {any} node @returns {boolean} */
    function isUnread(node) {
      for (let { parent } = node, child = node; parent; child = parent, parent = parent.parent) {
        if (UNREAD_PARENTS.has(parent.type)) return true;
        if (parent.type === 'BinaryExpression' && /^(?:[!=]==?|in)$/.test(parent.operator)) return true;
        if (parent.type === 'MemberExpression' && parent.property === child) return true;
        if (parent.type === 'Property' && parent.key === child) return true;
        if (parent.type === 'JSXAttribute') return UNREAD_ATTRIBUTES.test(context.sourceCode.getText(parent.name));
        if (parent.type === 'CallExpression' || parent.type === 'NewExpression') {
          const { callee } = parent;
          return UNREAD_CALLS.test(callee.type === 'MemberExpression' ? callee.property.name : callee.name);
        }
        if (parent.type === 'TaggedTemplateExpression' || /Function|Statement|Declaration$/.test(parent.type))
          return false;
      }
      return false;
    }

    /** @param {any} node @param {string[]} texts */
    function check(node, texts) {
      const text = texts.join('x');
      if (!texts.some((each) => WORD.test(each))) return;
      if ((isShown(node) || SENTENCE.test(text) || WORDS.test(text)) && !isUnread(node)) report(node);
    }

    return {
      JSXText: (/** @type {any} */ node) => WORD.test(node.value) && report(node),
      Literal: (/** @type {any} */ node) => typeof node.value === 'string' && check(node, [node.value]),
      TemplateLiteral: (/** @type {any} */ node) =>
        check(
          node,
          node.quasis.map((/** @type {any} */ each) => each.value.cooked),
        ),
    };
  },
};

export default {
  meta: { name: 'hourshare' },
  rules: {
    'addresses-in-paths': addressesInPaths,
    'text-in-catalog': textInCatalog,
  },
};
