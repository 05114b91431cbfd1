import { parseCode, walk } from './read-imports.mjs';

/** The leading ids of a test's name: "S12 S13 text", "A01/A02: text". */
const IDS = /^(?:[A-Z]{1,2}\d{1,3}(?:[ ,/+&:]+|$))+/;
const ID = /[A-Z]{1,2}\d{1,3}/g;

/** test, it, test.each(...), it.runIf(...).concurrent, and whether the test is switched off for good. */
const rootOf = (callee) => {
  let node = callee;
  let off = false;
  for (;;) {
    if (node.type === 'CallExpression') node = node.callee;
    else if (node.type === 'TaggedTemplateExpression') node = node.tag;
    else if (node.type === 'MemberExpression') {
      if (node.property.type !== 'Identifier') return null;
      if (/^(describe|step|beforeEach|afterEach|beforeAll|afterAll|use|info|extend|setTimeout|slow)$/.test(node.property.value)) return null;
      if (/^(skip|todo|fixme)$/.test(node.property.value)) off = true;
      node = node.object;
    } else return node.type === 'Identifier' && /^(test|it)$/.test(node.value) ? { off } : null;
  }
};

/** Names of a file's tests: {name, ids, off}. A name that begins with an expression has `name: null`: nobody can check what it cites. */
export const readTests = (text, path) => {
  const found = [];
  walk(parseCode(text, path), (node) => {
    if (node.type !== 'CallExpression') return;
    const root = rootOf(node.callee);
    const first = node.arguments[0]?.expression;
    // a call with a name and a body: test.each(rows) and test.skip(condition, reason) inside a body are none
    if (!root || !first || node.arguments.length < 2) return;
    const isBody = node.arguments.slice(1).some(({ expression }) => /^(ArrowFunctionExpression|FunctionExpression|Identifier)$/.test(expression.type));
    if (!isBody) return;
    const name = first.type === 'StringLiteral' ? first.value : first.type === 'TemplateLiteral' ? (first.quasis[0].cooked?.value ?? first.quasis[0].cooked ?? '') : null;
    if (name === null && !/^(BinaryExpression|Identifier|MemberExpression|CallExpression)$/.test(first.type)) return;
    const dynamic = name === null || (first.type === 'TemplateLiteral' && name === '');
    found.push({ name: dynamic ? null : name, ids: dynamic ? [] : ((IDS.exec(name)?.[0] ?? '').match(ID) ?? []), off: root.off });
  });
  return found;
};
