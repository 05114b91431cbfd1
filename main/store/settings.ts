import { DEFAULT_SETTINGS, SettingsSchema } from '../../shared/settings.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Notice } from '../../shared/notice.ts';
import type { ReadDb, WriteDb } from './database.ts';

type Key = keyof Settings;
const KEYS = Object.keys(SettingsSchema.shape) as readonly Key[];
const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key);

const parseValue = (key: Key, json: string): { readonly value: Settings[Key] } | null => {
  try {
    const parsed = SettingsSchema.shape[key].safeParse(JSON.parse(json));
    return parsed.success ? { value: parsed.data } : null;
  } catch {
    return null;
  }
};

type Row = { readonly key: string; readonly value_json: string };
const rowsOf = (db: ReadDb): readonly Row[] => db.all('SELECT key, value_json FROM settings ORDER BY key') as readonly Row[];

/** Every setting, from its row or, where that is missing or cannot be read, its default (settingNotices tells which). */
export const readSettings = (db: ReadDb): Settings => {
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  for (const { key, value_json } of rowsOf(db)) {
    const parsed = isKey(key) ? parseValue(key, value_json) : null;
    if (parsed) settings[key] = parsed.value;
  }
  return settings as Settings;
};

/** One notice for each row that cannot be read or that no setting has. It is left where it is: a newer Gantry may know it. */
export const settingNotices = (db: ReadDb, now: number): readonly Notice[] =>
  rowsOf(db)
    .filter(({ key, value_json }) => !isKey(key) || parseValue(key, value_json) === null)
    .map(({ key }) => unreadable(key, isKey(key), now));

const unreadable = (key: string, known: boolean, at: number): Notice => ({
  code: 'setting_unreadable',
  at,
  message: known ? `The setting ${key} could not be read; its default is used.` : `The setting ${key} is not known to this version; it is ignored.`,
  details: { key, known },
});

/** Writes the keys of `patch` and returns all settings. The patch has passed the contract; it is checked again, for rows outlive callers. */
export const writeSettings = (db: WriteDb, patch: { readonly [K in Key]?: Settings[K] | undefined }): Settings => {
  for (const [key, value] of Object.entries(SettingsSchema.partial().parse(patch))) {
    if (value === undefined) continue;
    db.run('INSERT INTO settings (key, value_json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value_json = excluded.value_json', [key, JSON.stringify(value)]);
  }
  return readSettings(db);
};

/** Every setting has its default again; rows that no setting has go too. */
export const resetSettings = (db: WriteDb): Settings => {
  db.run('DELETE FROM settings');
  return readSettings(db);
};
