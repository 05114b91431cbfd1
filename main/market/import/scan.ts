import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Fault } from '../../../shared/fault.ts';
import type { ImportHost } from '../../../shared/import.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { fault } from '../../../shared/fault.ts';
import { findServers } from './find-servers.ts';
import type { FoundSource, FoundText } from './found-server.ts';
import { hostPlaces, type HostPlace, type Machine } from './host-places.ts';
import { parseJson } from './parse-json.ts';
import { parseToml } from './parse-toml.ts';
import { readSettingsFile } from './read-file.ts';
import { readText } from './read-text.ts';

const dollarOf = (host: ImportHost): { readonly dollar?: boolean } => (host === 'gemini-cli' ? { dollar: true } : {});

const parsed = (text: string, place: HostPlace): Result<FoundText, Fault> => {
  if (text.trim() === '') return ok({ servers: [], unread: [] });
  const tree = place.format === 'toml' ? parseToml(text) : parseJson(text);
  // a settings file without a server is an ordinary one
  return tree.ok ? findServers(tree.value, { wholeSettings: true, ...dollarOf(place.host) }) : tree;
};

const readPlace = async (place: HostPlace, home: string): Promise<FoundSource> => {
  const source = { host: place.host, path: place.path, servers: [], unread: [] };
  const text = await readSettingsFile(place.path, home);
  if (!text.ok) return { ...source, fault: text.error, absent: false };
  if (text.value === null) return { ...source, fault: null, absent: true };
  const found = parsed(text.value, place);
  return found.ok ? { ...source, ...found.value, fault: null, absent: false } : { ...source, fault: { ...found.error, field: 'path', details: { ...found.error.details, path: place.path } }, absent: false };
};

const foldersIn = async (path: string): Promise<string[]> => {
  try {
    return (await readdir(path, { withFileTypes: true })).filter((one) => one.isDirectory()).map((one) => one.name).sort().slice(0, 50);
  } catch {
    return [];
  }
};

/** Reads the settings of every known program on this computer. One that cannot be read says why, and the others go on. */
export const scanMachine = async (machine: Machine): Promise<readonly FoundSource[]> => {
  const places: HostPlace[] = [];
  for (const place of hostPlaces(machine)) {
    if (place.inEach === undefined) places.push(place);
    else for (const folder of await foldersIn(place.path)) places.push({ ...place, path: join(place.path, folder, place.inEach) });
  }
  const seen = new Set<string>();
  const sources: FoundSource[] = [];
  for (const place of places) {
    if (seen.has(place.path)) continue;
    seen.add(place.path);
    sources.push(await readPlace(place, machine.home));
  }
  return sources;
};

/** Which program's file this is, by its name and folder, where that can be told. */
const hostOf = (path: string): ImportHost => {
  const way = path.replaceAll('\\', '/');
  if (/claude_desktop_config\.json$/.test(way)) return 'claude-desktop';
  if (/\/\.claude\.json$|\/\.mcp\.json$/.test(way)) return 'claude-code';
  if (/\/\.cursor\/mcp\.json$/.test(way)) return 'cursor';
  if (/mcp_config\.json$/.test(way)) return 'windsurf';
  if (/cline_mcp_settings\.json$/.test(way)) return 'cline';
  if (/\/\.codex\/config\.toml$/.test(way)) return 'codex';
  if (/\/\.gemini\/settings\.json$/.test(way)) return 'gemini-cli';
  if (/\/\.lmstudio\/mcp\.json$/.test(way)) return 'lm-studio';
  if (/\/\.?zed\/settings\.json$/i.test(way)) return 'zed';
  if (/\/(\.vscode|User)\/(mcp|settings)\.json$/.test(way)) return 'vscode';
  return 'file';
};

const isWhole = (path: string): boolean => /(settings\.json|\.claude\.json|config\.toml|claude_desktop_config\.json)$/.test(basename(path)) && !/cline_mcp_settings/.test(path);

/** One file that a person named: a workspace's .vscode/mcp.json, a .mcp.json, any file of settings. */
export const readPickedFile = async (path: string): Promise<Result<FoundSource, Fault>> => {
  const text = await readSettingsFile(path, null);
  if (!text.ok) return text;
  if (text.value === null) return err(fault('file_unreadable', `${path} does not exist.`, { field: 'path', remedy: 'Check the path.', details: { cause: 'absent', path } }));
  const host = hostOf(path);
  const found = path.endsWith('.toml') ? tomlOf(text.value) : readText(text.value, { ...(isWhole(path) ? { wholeSettings: true } : {}), ...dollarOf(host) });
  if (!found.ok) return err({ ...found.error, field: 'path', details: { ...found.error.details, path } });
  return ok({ host, path, servers: found.value.servers, unread: found.value.unread, fault: null, absent: false });
};

const tomlOf = (text: string): Result<FoundText, Fault> => {
  const tree = parseToml(text);
  return tree.ok ? findServers(tree.value) : tree;
};
