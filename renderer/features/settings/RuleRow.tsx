import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PolicyRule } from '../../../shared/rule.ts';
import { decider } from '../../parts/decider.ts';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { ruleStanding } from './rule-words.ts';
import css from './Settings.module.css';

const Target = ({ rule }: { readonly rule: PolicyRule }): ReactElement => {
  const { t } = useTranslation();
  if (rule.capabilityId !== null) return <code><UntrustedText text={rule.capabilityId} /></code>;
  return (
    <>
      {rule.tier === null ? t('settings.rules.any_tool') : t('settings.rules.tools_of_tier', { tier: t(`parts.tier.${rule.tier}`) })}
      {rule.serverId === null ? null : <>{t('settings.rules.of_server')}<code><UntrustedText text={rule.serverId} /></code></>}
    </>
  );
};

/** One rule as a sentence: what it decides, for whom, on what, under which conditions, until when. */
export const RuleRow = ({ rule, onRevoke }: { readonly rule: PolicyRule; readonly onRevoke: (() => void) | null }): ReactElement => {
  const { t, i18n } = useTranslation();
  const standing = ruleStanding(rule, Date.now());
  // First steps wrote its own note in the language of that moment: Gantry's words, shown in this one
  const note = (['en', 'zh'] as const).some((language) => i18n.getFixedT(language)('guide.ask.note') === rule.note) ? t('guide.ask.note') : rule.note;
  const key = `settings.rules.built_in.${rule.id.replaceAll(/[^a-z0-9]+/gi, '_')}`;
  return (
    <div className={css['rule']} data-standing={standing}>
      <span className={css['effect']} data-effect={rule.effect}>{t(`settings.rules.effect.${rule.effect}`)}</span>
      <div className={css['ruleWords']}>
        {rule.builtIn && i18n.exists(key) ? <p>{t(key)}</p> : (
          <p>
            <Target rule={rule} />{t('settings.rules.for')}{rule.principal === null ? t('settings.rules.anyone') : <PrincipalName principal={rule.principal} within />}
            {rule.conditions.map((c, i) => <span key={i} className={css['condition']}>{t(i === 0 ? 'settings.rules.if' : 'settings.rules.and')} <code><UntrustedText text={c.pointer === '' ? '/' : c.pointer} maxLength={120} /></code> {t(`settings.rules.op.${c.op}`)} {c.value === undefined ? null : <code><UntrustedText text={typeof c.value === 'string' ? c.value : JSON.stringify(c.value)} maxLength={120} /></code>}</span>)}
          </p>
        )}
        <p className={css['hint']}>
          {rule.builtIn ? t('settings.rules.is_built_in') : <>{t('settings.rules.made')} <TimeText at={rule.createdAt} /> {t('settings.rules.by')}{decider(rule.createdBy, t)}</>}
          {rule.expiresAt === null || standing === 'revoked' ? null : <> · {t(standing === 'expired' ? 'settings.rules.ended' : 'settings.rules.ends')} <TimeText at={rule.expiresAt} /></>}
          {rule.revokedAt === null ? null : <> · {t('settings.rules.revoked')} <TimeText at={rule.revokedAt} /></>}
          {rule.definitionFingerprint === null ? null : <> · {t('settings.rules.bound')}</>}
          {rule.note === '' || rule.builtIn ? null : <> · <UntrustedText text={note} maxLength={200} /></>}
        </p>
      </div>
      {rule.builtIn || onRevoke === null ? null : <Button onClick={onRevoke} aria-label={t('settings.rules.revoke_name', { id: rule.id })}>{t('settings.rules.revoke')}</Button>}
    </div>
  );
};
