import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { useSettings } from '../../stores/settings.ts';
import classes from './Guide.module.css';
import { leadOn } from './lead-on.ts';
import { markEvidenceRead, useGuide } from './use-guide.ts';

/** One line above every page until the first steps are done or dismissed: how far, and the next one. */
export function GuideStrip({ here }: { readonly here: string }) {
  const settings = useSettings((state) => state.settings);
  useEffect(() => {
    if (here === 'run') markEvidenceRead();
  }, [here]);
  return here === 'guide' || settings.phase !== 'ready' || settings.value.onboardingDone ? null : <Strip />;
}

function Strip() {
  const { t } = useTranslation();
  const { steps, known } = useGuide();
  if (!known) return null;
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section className={classes['strip']} aria-label={t('guide.title')}>
      <a href={href.guide()} className={classes['stripTitle']}>
        {t('guide.progress', { done, total: steps.length })}
      </a>
      <span className={classes['dots']} aria-hidden="true">
        {steps.map((step) => (
          <i key={step.key} data-done={step.done} />
        ))}
      </span>
      {next ? (
        <a href={next.key === 'approve' && next.to !== href.approvals() ? href.guide() : next.to} className={classes['stripNext']} onClick={() => leadOn(next.key)}>
          {t('guide.next', { what: t(`guide.step.${next.key}.title`) })}
        </a>
      ) : (
        <span className={classes['stripNext']}>{t('guide.allDone')}</span>
      )}
      <Button
        variant="subtle"
        onClick={() => {
          void act('settings:set', { onboardingDone: true });
          // what comes after the last step stands there
          if (next === undefined) location.hash = href.guide();
        }}
      >
        {t(next ? 'guide.dismiss' : 'guide.finish')}
      </Button>
    </section>
  );
}
