import { en as agent } from '../features/agent/en.ts';
import { zh as agentZh } from '../features/agent/zh.ts';
import { en as app } from '../app/en.ts';
import { zh as appZh } from '../app/zh.ts';
import { en as approvals } from '../features/approvals/en.ts';
import { zh as approvalsZh } from '../features/approvals/zh.ts';
import { en as capabilities } from '../features/capabilities/en.ts';
import { zh as capabilitiesZh } from '../features/capabilities/zh.ts';
import { en as guide } from '../features/guide/en.ts';
import { zh as guideZh } from '../features/guide/zh.ts';
import { en as help } from '../features/help/en.ts';
import { zh as helpZh } from '../features/help/zh.ts';
import { en as importEn } from '../features/import/en.ts';
import { zh as importZh } from '../features/import/zh.ts';
import { en as link } from '../features/link/en.ts';
import { zh as linkZh } from '../features/link/zh.ts';
import { en as market } from '../features/market/en.ts';
import { zh as marketZh } from '../features/market/zh.ts';
import { en as planner } from '../features/planner/en.ts';
import { zh as plannerZh } from '../features/planner/zh.ts';
import { en as questions } from '../features/questions/en.ts';
import { zh as questionsZh } from '../features/questions/zh.ts';
import { en as runs } from '../features/runs/en.ts';
import { zh as runsZh } from '../features/runs/zh.ts';
import { en as servers } from '../features/servers/en.ts';
import { zh as serversZh } from '../features/servers/zh.ts';
import { en as models } from '../features/settings/agent/en.ts';
import { zh as modelsZh } from '../features/settings/agent/zh.ts';
import { en as data } from '../features/settings/data/en.ts';
import { zh as dataZh } from '../features/settings/data/zh.ts';
import { en as settings } from '../features/settings/en.ts';
import { zh as settingsZh } from '../features/settings/zh.ts';
import { en as tryout } from '../features/tryout/en.ts';
import { zh as tryoutZh } from '../features/tryout/zh.ts';
import { en as parts } from '../parts/en.ts';
import { zh as partsZh } from '../parts/zh.ts';
import { codesEn } from './codes.en.ts';
import { codesZh } from './codes.zh.ts';

/**
 * One map of all words. Each folder keeps its own `en.ts` (`export const en = {...}`) and `zh.ts` (`export const zh = {...}`),
 * entered here under the folder's name: as in `servers.column.state`. Plurals by i18next: `_one`, `_other` (Chinese has `_other` only).
 */
export const resources = {
  en: { agent, app, approvals, capabilities, data, guide, help, import: importEn, link, market, models, parts, planner, questions, runs, servers, settings, tryout, code: codesEn },
  zh: { agent: agentZh, app: appZh, approvals: approvalsZh, capabilities: capabilitiesZh, data: dataZh, guide: guideZh, help: helpZh, import: importZh, link: linkZh, market: marketZh, models: modelsZh, parts: partsZh, planner: plannerZh, questions: questionsZh, runs: runsZh, servers: serversZh, settings: settingsZh, tryout: tryoutZh, code: codesZh },
} as const;
