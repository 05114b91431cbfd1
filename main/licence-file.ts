import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { fault, type Fault } from '../shared/fault.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { Licence } from '../shared/shell.ts';

/** What the build writes (packaging/licences.ts): every package that ships, with the text of its licence where it brought one. */
export const LicenceFileSchema = z.object({
  format: z.literal('gantry-licences/1'),
  packages: z.array(z.object({ name: z.string(), version: z.string(), license: z.string(), text: z.string().nullable() })),
});
type Content = z.infer<typeof LicenceFileSchema>;

const shown = ({ name, version, license, text }: Content['packages'][number]): Licence => ({ name, version, license, hasText: text !== null });

/** The licences beside the built window, read when somebody asks and then kept. `not_found`: nothing was built, or it cannot be read. */
export class LicenceFile {
  readonly #path: string;
  #content: Content | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async #read(): Promise<Result<Content, Fault>> {
    if (this.#content) return ok(this.#content);
    try {
      this.#content = LicenceFileSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')));
      return ok(this.#content);
    } catch {
      return err(fault('not_found', 'The list of licences was not built, or cannot be read.', { remedy: 'Build the window once more: npm run build.' }));
    }
  }

  async list(): Promise<Result<{ licences: Licence[] }, Fault>> {
    const read = await this.#read();
    return read.ok ? ok({ licences: read.value.packages.map(shown) }) : read;
  }

  async text(name: string, version: string): Promise<Result<{ licence: Licence; text: string | null }, Fault>> {
    const read = await this.#read();
    if (!read.ok) return read;
    const found = read.value.packages.find((one) => one.name === name && one.version === version);
    return found ? ok({ licence: shown(found), text: found.text }) : err(fault('not_found', 'No such package ships with Gantry.', { field: '/name' }));
  }
}
