import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { touchPrivateFile } from './private-file.ts';
import { sqliteCode } from './store-fault.ts';

export interface InstanceLock {
  release(): void;
}

/**
 * One Gantry per data folder (P12). The lock is an open write transaction on an empty SQLite file, so the operating system holds it for this
 * process: it cannot outlive a kill -9, needs no pid to be judged (a pid can be taken again, P07), and works the same on Windows.
 * instance.json beside it only tells a second instance who holds it.
 * Faults: `instance_running` (details.pid, details.startedAt when known), `store_write_failed`.
 */
export const takeInstanceLock = (dataDir: string, now: number): Result<InstanceLock, Fault> => {
  const path = join(dataDir, 'instance.lock');
  const ownerPath = join(dataDir, 'instance.json');
  try {
    touchPrivateFile(path);
    const db = begin(path);
    rmSync(ownerPath, { force: true });
    writeFileSync(ownerPath, JSON.stringify({ pid: process.pid, startedAt: now }), { mode: 0o600 });
    return ok({
      release() {
        if (!db.open) return;
        rmSync(ownerPath, { force: true });
        db.close();
      },
    });
  } catch (error) {
    const code = sqliteCode(error);
    if (code.startsWith('SQLITE_BUSY')) return err(running(dataDir, ownerPath));
    return err(fault('store_write_failed', `The data folder could not be locked (${code}).`, { remedy: 'Choose a folder that can be written with --data-dir.', details: { path, code } }));
  }
};

const begin = (path: string): DatabaseConstructor.Database => {
  try {
    return beginOnce(path);
  } catch (error) {
    // not a database: nobody can hold a lock on it, so nobody is robbed by emptying it
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCode(error))) throw error;
    truncateSync(path);
    return beginOnce(path);
  }
};

const beginOnce = (path: string): DatabaseConstructor.Database => {
  const db = new DatabaseConstructor(path, { timeout: 0 });
  try {
    // in memory: a journal file left by a kill would be rolled back by the next start
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN IMMEDIATE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const running = (dataDir: string, ownerPath: string): Fault => {
  let owner: { pid?: unknown; startedAt?: unknown } = {};
  try {
    const parsed: unknown = JSON.parse(readFileSync(ownerPath, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null) owner = parsed;
  } catch {
    // the holder is between taking the lock and writing its name
  }
  const pid = Number.isInteger(owner.pid) ? { pid: owner.pid } : {};
  const startedAt = Number.isInteger(owner.startedAt) ? { startedAt: owner.startedAt } : {};
  return fault('instance_running', `Another Gantry${'pid' in pid ? ` (process ${String(pid.pid)})` : ''} is using this data folder.`, {
    remedy: 'Open its window with `npm run gantry -- open`, end it, or choose another folder with --data-dir.',
    details: { dataDir, ...pid, ...startedAt },
  });
};
