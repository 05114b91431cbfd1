import { parseSync } from '@swc/core';

const isTypeOnly = (node) => node.typeOnly === true || (node.specifiers?.length > 0 && node.specifiers.every((one) => one.isTypeOnly === true));

/** Calls `visit` on every node of an swc syntax tree. */
export const walk = (node, visit) => {
  if (Array.isArray(node)) node.forEach((one) => walk(one, visit));
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const value of Object.values(node)) if (value !== null && typeof value === 'object') walk(value, visit);
  }
};

export const parseCode = (text, path) => {
  const jsx = /x$/.test(path);
  const typescript = /\.[cm]?tsx?$/.test(path);
  return parseSync(text, typescript ? { syntax: 'typescript', tsx: jsx, target: 'es2024' } : { syntax: 'ecmascript', jsx, target: 'es2024' });
};

/** What a file imports, statically, dynamically, by re-export, as a type or from a worker's URL: {module, typeOnly}. */
export const readImports = (text, path) => {
  const found = [];
  walk(parseCode(text, path), (node) => {
    if (/^(ImportDeclaration|ExportAllDeclaration|ExportNamedDeclaration)$/.test(node.type) && node.source) found.push({ module: node.source.value, typeOnly: isTypeOnly(node) });
    if (node.type === 'TsImportType') found.push({ module: node.argument.value, typeOnly: true });
    if (node.type !== 'CallExpression' || node.arguments[0]?.expression.type !== 'StringLiteral') return;
    if (node.callee.type === 'Import' || (node.callee.type === 'Identifier' && node.callee.value === 'require')) found.push({ module: node.arguments[0].expression.value, typeOnly: false });
  });
  return found;
};
