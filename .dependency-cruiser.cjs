// Import directions (docs/spec/tools.md, T10). Each rule has a planted violation in .ci/import-rules.test.mjs that shows it bites.
// Run through .ci/import-rules.mjs, which reads the imports first: dependency-cruiser's own reading knows no TSX and no `import type`.
const TEST = '(\\.test\\.tsx?$|[.-]fixture\\.ts$|/(open-)?test-[a-z-]+\\.ts$|-under-test\\.ts$|/seeds\\.ts$)';
const npm = (name) => `^node_modules/${name}(/|$)`;

/** `from` and `to` are regular expressions over paths from the root; tests are left out of `from` unless `tests` is set. */
const rule = (name, comment, from, to, { fromNot = [], tests = false } = {}) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: [...(tests ? [] : [TEST]), ...fromNot] },
  to,
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule('shared-is-pure', 'shared/ imports nothing but itself and zod', '^shared/', { pathNot: ['^shared/', npm('zod')] }),
    rule('renderer-knows-no-host', 'the renderer has the bridge and shared/, nothing of the host', '^renderer/', { path: ['^main/', '^preload/', '^e2e/', '^bench/', npm('electron'), npm('better-sqlite3')] }, { tests: true, fromNot: ['\\.test\\.tsx?$'] }),
    rule('renderer-is-no-node', 'the renderer runs in a browser', '^renderer/', { dependencyTypes: ['core'] }),
    rule('features-are-apart', 'a feature imports no other feature', '^renderer/features/([^/]+)/', { path: '^renderer/features/', pathNot: '^renderer/features/$1/' }, { tests: true }),
    rule('parts-know-no-store', 'presentational parts get what they show', '^renderer/parts/', { path: '^renderer/(stores|features|app|bridge)/' }, { tests: true }),
    rule('stores-know-no-screen', 'mirrors of the host know no screen', '^renderer/(stores|bridge|theme)/', { path: '^renderer/(features|app|parts)/' }, { tests: true }),
    rule('preload-is-thin', 'preload is built from the names in shared/ and electron', '^preload/', { pathNot: ['^preload/', '^shared/', npm('electron'), npm('zod')] }),
    { name: 'window-carries-no-schemas', severity: 'error', comment: 'the window takes types and plain tables from shared/: the schema library is a tenth of what it would load at its start', from: { path: '^renderer/', pathNot: TEST }, to: { path: npm('zod'), reachable: true } },
    rule('host-knows-no-window', 'the host imports neither renderer nor tests', '^main/', { path: ['^renderer/', '^preload/', '^e2e/', '^bench/', npm('react'), npm('react-dom'), npm('@mantine')] }),
    rule('electron-only-in-its-shell', 'the host runs without Electron', '^(main|shared)/', { path: npm('electron') }, { tests: true, fromNot: ['^main/electron\\.ts$', '^main/shell/electron'] }),
    rule('host-knows-no-shell', 'the host is the same under every shell', '^main/', { path: '^main/(shell/|serve\\.ts|electron\\.ts|command\\.ts)' }, { fromNot: ['^main/shell/', '^main/(serve|electron|command)\\.ts$'] }),
    rule('sql-only-in-store', 'only main/store opens the database', '^(main|renderer|preload|shared|bench)/', { path: [npm('better-sqlite3'), npm('drizzle-orm'), '^sqlite$'] }, { tests: true, fromNot: ['^main/store/'] }),
    rule('node-sqlite-nowhere', 'one SQLite only: node:sqlite may be an older one (A23)', '^(main|shared|bench|e2e)/', { path: '^(node:)?sqlite$' }, { tests: true }),
    rule('store-stands-alone', 'the store knows no other part of the host', '^main/store/', { path: '^main/', pathNot: ['^main/store/', '^main/clock\\.ts$'] }),
    rule('mcp-client-only-in-servers', 'one importer of the MCP client', '^(main|renderer|preload|shared)/', { path: [npm('@modelcontextprotocol/client'), npm('@modelcontextprotocol/core')] }, { fromNot: ['^main/servers/', '^main/gateway/'] }),
    rule('mcp-server-only-in-gateway', 'one importer of the MCP server side', '^(main|renderer|preload|shared)/', { path: [npm('@modelcontextprotocol/server'), npm('@modelcontextprotocol/node')] }, { fromNot: ['^main/gateway/'] }),
    rule('older-sdk-only-as-peer', 'the 1.x SDK is the older-era peer in tests', '^(main|renderer|preload|shared)/', { path: npm('@modelcontextprotocol/sdk') }),
    rule('conformance-drives-servers-only', 'the driver of the official suite is the host\'s own connection code (CF04)', '^e2e/conformance/drive-client\\.ts$', { pathNot: '^main/servers/' }),
    rule('run-call-is-the-only-door', 'only run-call sends, and only by send-call', '^', { path: '^main/calls/(dispatch|send-call)\\.ts$' }, { tests: true, fromNot: ['^main/calls/(run|send)-call\\.ts$', '^main/calls/[a-z-]+\\.test\\.ts$'] }),
    rule('one-way-out', 'only main/network connects; what listens on this computer is named here (NW21)', '^(main|preload|shared)/', { path: ['^(node:)?(net|tls|http|https|http2|dns|dns/promises|dgram|inspector)$', npm('undici'), npm('node-fetch'), npm('axios'), npm('got'), npm('ws'), npm('make-fetch-happen')] }, { fromNot: ['^main/network/', '^main/shell/loopback/listen\\.ts$', '^main/shell/command-channel/'] }),
    rule('clients-get-our-connections', 'npm\'s client, the updater and the model\'s libraries have connections of their own: each importer gives them ours (NW21)', '^(main|preload|shared)/', { path: [npm('pacote'), npm('@npmcli/arborist'), npm('npm-registry-fetch'), npm('electron-updater'), npm('builder-util-runtime'), npm('@ai-sdk/(anthropic|openai|openai-compatible)')] }, { fromNot: ['^main/market/(build-tree|restore-tree)\\.ts$', '^main/agent/model-adapter\\.ts$', '^main/requests/network-requests\\.ts$', '^main/shell/electron/'] }),
    rule('policy-only-decides', 'policy is given what it needs and reaches for nothing', '^main/policy/', { path: ['^main/(?!policy/|store/|evidence/|clock\\.ts$)', '^(node:)?(fs|fs/promises|net|http|https|child_process|worker_threads)$'] }),
    rule('composed-once', 'host.ts composes; nothing else makes its parts', '^main/', { path: '^main/(calls/run-call|servers/pool|capabilities/registry|market/installer|secrets/secrets|store/open)\\.ts$' }, { fromNot: ['^main/(host|start-host)\\.ts$', '^main/market/verify-catalog\\.ts$'] }),
    rule('product-imports-no-test', 'nothing that ships leans on a test', '^(main|renderer|preload|shared)/', { path: TEST }),
    rule('no-dev-dependency-in-product', 'what ships is in dependencies', '^(main|renderer|preload|shared)/', { dependencyTypes: ['npm-dev'], pathNot: [npm('electron')] }, { fromNot: ['^main/shell/bundle-plugin\\.ts$'] }),
    { name: 'no-undeclared-package', severity: 'error', comment: 'a package that package.json does not name may be gone tomorrow', from: { path: '^(main|renderer|preload|shared|bench|e2e)/' }, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
    { name: 'no-unresolved-import', severity: 'error', comment: 'every import leads somewhere', from: {}, to: { couldNotResolve: true, pathNot: ['^virtual:', '\\.d\\.ts$'] } },
    { name: 'no-circle', severity: 'error', comment: 'a circle of imports has no order to be read in', from: {}, to: { circular: true } },
  ],
  options: {
    // with TypeScript 7 alone the other parsers read no file and report success (T11 asserts the count)
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^coverage/', '^node_modules/.*/node_modules/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.css', '.svg'] },
  },
};
