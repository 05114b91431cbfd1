// The import rules of .dependency-cruiser.cjs over the whole project. `node .ci/import-rules.mjs`
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import { readImports } from './read-imports.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDERS = ['shared', 'main', 'preload', 'renderer', 'e2e', 'bench'];
/** Fewer modules than this means that nothing was read, not that all is well. */
const MIN_MODULES = 50;
/** Rules about what runs: an import of a type alone makes no part, no circle and no dependency. */
const ABOUT_WHAT_RUNS = new Set(['one-way-out', 'clients-get-our-connections', 'composed-once', 'window-carries-no-schemas', 'run-call-is-the-only-door', 'host-knows-no-shell', 'no-circle', 'no-dev-dependency-in-product', 'no-undeclared-package', 'product-imports-no-test']);

const filesUnder = (root, folder) => {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).replaceAll('\\', '/'))
      .filter((path) => !path.includes('node_modules/') && !path.startsWith('e2e/out/'));
  } catch {
    return [];
  }
};

/** The project's files by path, as text; `planted` adds or replaces some. */
export const readProject = (root = ROOT, planted = {}) => {
  const files = new Map(FOLDERS.flatMap((folder) => filesUnder(root, folder)).map((path) => [path, /\.[cm]?[jt]sx?$/.test(path) ? readFileSync(join(root, path), 'utf8') : '']));
  for (const [path, text] of Object.entries(planted)) files.set(path, text);
  return files;
};

const stub = (imports) => imports.map(({ module }) => `import ${JSON.stringify(module)};\n`).join('');

/**
 * dependency-cruiser resolves, judges and finds circles; what it reads is a mirror of the project in which each file holds its imports only.
 * Its own swc parser knows neither TSX nor type-only imports, and TypeScript 7 has no interface for its other one.
 */
const judge = async (files, rules, config, keep) => {
  const mirror = mkdtempSync(join(tmpdir(), 'gantry-imports-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(mirror, 'node_modules'), 'junction');
    writeFileSync(join(mirror, 'package.json'), readFileSync(join(ROOT, 'package.json')));
    for (const [path, imports] of files) {
      mkdirSync(dirname(join(mirror, path)), { recursive: true });
      writeFileSync(join(mirror, path), stub(imports.filter(keep)));
    }
    const folders = FOLDERS.filter((folder) => files.some(([path]) => path.startsWith(`${folder}/`)));
    const { output } = await cruise(folders, { ...config.options, baseDir: mirror, validate: true, ruleSet: { forbidden: rules } }, { ...config.options.enhancedResolveOptions, symlinks: false });
    return output;
  } finally {
    rmSync(mirror, { recursive: true, force: true });
  }
};

/** Violations as {rule, from, to}, and how many modules with imports were read. */
export const checkImports = async (project) => {
  const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const files = [...project].map(([path, text]) => [path, /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts') && !path.endsWith('.d.mts') ? readImports(text, path) : []]);
  const all = await judge(files, config.forbidden.filter(({ name }) => !ABOUT_WHAT_RUNS.has(name)), config, () => true);
  const running = await judge(files, config.forbidden.filter(({ name }) => ABOUT_WHAT_RUNS.has(name)), config, ({ typeOnly }) => !typeOnly);
  const violations = [all, running].flatMap(({ summary }) =>
    summary.violations.map(({ rule, from, to, cycle }) => ({ rule: rule.name, from, to: cycle ? cycle.map((step) => step.name ?? step).join(' -> ') : to })),
  );
  return { violations, modules: all.modules.filter(({ source, dependencies }) => !source.startsWith('node_modules/') && dependencies.length > 0).length };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { violations, modules } = await checkImports(readProject());
  for (const { rule, from, to } of violations) console.log(`${rule}: ${from} -> ${to}`);
  console.log(`${modules} modules with imports read, ${violations.length} forbidden imports`);
  if (modules <= MIN_MODULES) console.log(`${MIN_MODULES} modules or fewer: they were not read`);
  process.exitCode = violations.length > 0 || modules <= MIN_MODULES ? 1 : 0;
}
