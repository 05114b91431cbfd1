import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { FieldName } from '../../parts/FieldName.tsx';
import { JsonView } from '../../parts/JsonView.tsx';
import { relativeTime } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { useNow } from '../../parts/use-now.ts';
import { href } from '../../routes.ts';
import { useServers } from '../../stores/servers.ts';
import css from './ApprovalDialog.module.css';
import { RuleWords } from './RuleWords.tsx';

/** Notices whose words say all; the others add the host's particulars, as small print. */
const COMPLETE = new Set(['unreviewed', 'first_use', 'changed_since_last', 'padding', 'repeat', 'repeat_of_unknown', 'changed_since_review', 'repaired', 'repeat_open', 'no_idempotency_key']);

const Notice = ({ notice }: { readonly notice: Approval['notices'][number] }): ReactElement => {
  const { t, i18n } = useTranslation();
  const [base = notice.code] = notice.code.split(':', 1);
  const key = `approvals.notice.${base}`;
  const kind = [`parts.schema_defect.${notice.kind}`, `approvals.repair.${notice.kind}`, `parts.flag.${notice.kind}`].find((name) => i18n.exists(name));
  const particulars = notice.place !== undefined && notice.detail.startsWith(`${notice.place}: `) ? notice.detail.slice(notice.place.length + 2) : notice.detail;
  return (
    <li>
      {i18n.exists(key) ? t(key) : null}
      {kind === undefined ? null : t(kind)} {notice.place === undefined ? null : base === 'changed_since_review' ? <FieldName field={notice.place} /> : <code className="g-mono"><UntrustedText text={notice.place} maxLength={200} /></code>}{' '}
      {COMPLETE.has(base) ? null : <span className="g-fine" lang="en"><UntrustedText text={particulars} maxLength={300} /></span>} <code className={css['code']}>{notice.kind ?? base}</code>
    </li>
  );
};

/** What a person decides on, in the order in which it matters: effect, identity, the whole input, what is not checked or changed. */
export const ApprovalFacts = ({ approval, onEndSeen, apart = '' }: { readonly approval: Approval; readonly onEndSeen: () => void; /** what tells it from others on its page */ readonly apart?: string }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow(30_000);
  const servers = useServers((s) => s.servers);
  const serverId = parseCapabilityId(approval.capabilityId)?.serverId ?? '';
  const server = servers.phase === 'ready' ? servers.value.find((s) => s.id === serverId) : undefined;
  const fields = fieldCount(approval.frozenInput);
  const previous = approval.previous;
  const key = approval.notices.find((n) => n.code === 'idempotency_key');
  const notices = approval.notices.filter((n) => n !== key && n.kind !== 'idempotency_key');
  return (
    <>
      <section className={css['section']}>
        <p className={css['effect']}>{t(`approvals.effect.${approval.tier}`)}</p>
        <p className={css['small']}>{t('approvals.why_asked')}<RuleWords ruleId={approval.ruleId} /></p>
        {approval.runLeft === true ? <p className={css['runLeft']}>{t('approvals.run_left')}</p> : null}
      </section>
      <section className={css['section']}>
        <dl className={css['identity']}>
          <div>
            <dt>{t('approvals.capability')}</dt>
            <dd className={css['mono']}><UntrustedText text={approval.capabilityId} /> <CopyButton text={approval.capabilityId} name={t('approvals.capability')} /></dd>
          </div>
          <div>
            <dt>{t('approvals.server')}</dt>
            <dd><a href={href.server(serverId)}><UntrustedText text={server?.name ?? serverId} /></a></dd>
          </div>
          <div className={css['says']}>
            <dt>{t('approvals.server_says')}</dt>
            <dd>{approval.serverSays === undefined || approval.serverSays === '' ? t('approvals.says_nothing') : <UntrustedText text={approval.serverSays} block maxLength={280} />}</dd>
          </div>
        </dl>
      </section>
      <section className={css['section']}>
        <div className={css['inputHead']}>
          <h3>{t('approvals.input', { bytes: new Intl.NumberFormat(language).format(approval.inputBytes) })}{fields === null ? '' : t('approvals.fields', { count: fields })}</h3>
          <span className={css['small']}>
            {previous === null ? t('approvals.first_call') : t(previous.identical ? 'approvals.same_as' : 'approvals.differs_from', { when: relativeTime(previous.at, now, language) })}
          </span>
        </div>
        <JsonView text={approval.frozenInput} label={`${t('approvals.input_label')} ${apart}`.trim()} whole maxHeight={260} onEndSeen={onEndSeen} before={previous === null || previous.identical ? undefined : previous.frozenInput} copy={false} />
        {key === undefined ? null : <p className={css['idempotencyKey']}>{t('approvals.notice.idempotency_key')}<code className="g-mono"><UntrustedText text={`${(key.place ?? '').slice(1)} ${key.detail}`} maxLength={300} /></code></p>}
      </section>
      {notices.length === 0 ? null : (
        <section className={css['section']}>
          <h3>{t('approvals.not_checked')}</h3>
          <ul className={css['notices']}>{notices.map((n, i) => <Notice key={i} notice={n} />)}</ul>
        </section>
      )}
    </>
  );
};

const fieldCount = (text: string): number | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : null;
  } catch {
    return null;
  }
};
