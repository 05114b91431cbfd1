// `node --import ./e2e/conformance/plant.mjs ...` with GANTRY_PLANT='{"file":"main/servers/x.ts","from":"...","to":"..."}': the module is loaded with that one change.
import { registerHooks } from 'node:module';

const { file, from, to } = JSON.parse(process.env.GANTRY_PLANT);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!new URL(url).pathname.endsWith(`/${file}`)) return loaded;
    const source = String(loaded.source);
    if (source.split(from).length !== 2) throw new Error(`${file} does not hold ${JSON.stringify(from)} once`);
    return { ...loaded, source: source.replace(from, () => to) };
  },
});
