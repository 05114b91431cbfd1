import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { useSettings } from '../../stores/settings.ts';
import { AskFirst } from './AskFirst.tsx';
import classes from './Guide.module.css';
import { leadOn } from './lead-on.ts';
import { useAskFirst } from './use-ask-first.ts';
import { useGuide } from './use-guide.ts';

/** The first steps: from an app to evidence. Each ticks itself off from what the host says. */
export function GuidePage() {
  const { t } = useTranslation();
  const settings = useSettings((state) => state.settings);
  const { steps, tool } = useGuide();
  const next = steps.find((step) => !step.done);
  const first = useAskFirst(tool);
  // a call that waits already needs no rule
  const mustAsk = next?.key === 'approve' && next.to !== href.approvals() && first.needed;
  const goOn = useRef<HTMLAnchorElement>(null);
  const hadToAsk = useRef(false);
  useEffect(() => {
    // the button that made the rule is gone; what it was for comes next
    if (hadToAsk.current && !mustAsk && document.activeElement === document.body) goOn.current?.focus();
    hadToAsk.current = mustAsk;
  }, [mustAsk]);
  const dismissed = settings.phase === 'ready' && settings.value.onboardingDone;
  return (
    <div className={classes['page']}>
      <h1 className="g-title">{t('guide.title')}</h1>
      <p className={classes['lead']}>{t('guide.about')}</p>
      <ol className={classes['steps']}>
        {steps.map((step, at) => (
          <li key={step.key} data-done={step.done} data-next={step === next} aria-current={step === next ? 'step' : undefined}>
            <span className={classes['mark']}>
              {step.done ? (
                <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2" role="img" aria-label={t('guide.done')}>
                  <path d="M3.4 8.3l3 3 6.2-6.4" />
                </svg>
              ) : (
                at + 1
              )}
            </span>
            <div className={classes['what']}>
              <h2>{t(`guide.step.${step.key}.title`)}</h2>
              <p>{t(`guide.step.${step.key}.body`)}</p>
              {step.key === 'approve' && step === next && tool !== null && (mustAsk || first.asks) && <AskFirst name={tool.name} first={first} />}
            </div>
            {step === next ? (
              mustAsk ? null : (
                <Button ref={goOn} component="a" href={step.to} variant="filled" onClick={() => leadOn(step.key)}>
                  {t(`guide.step.${step.key}.go`)}
                </Button>
              )
            ) : (
              step.done && (
                <Button component="a" href={step.to} variant="subtle" aria-label={t('guide.lookOf', { what: t(`guide.step.${step.key}.title`) })}>
                  {t('guide.look')}
                </Button>
              )
            )}
          </li>
        ))}
      </ol>
      <div className={classes['foot']}>
        {next === undefined && <p>{t('guide.allDone')} {dismissed && t('guide.reopen')}</p>}
        {next === undefined && dismissed && (
          <Button component="a" href={href.market()} variant="filled">
            {t('guide.toMarket')}
          </Button>
        )}
        {next === undefined && (
          <Button component="a" href={href.agent()}>
            {t('guide.toAgent')}
          </Button>
        )}
        <Button component="a" href={href.import()}>
          {t('guide.import')}
        </Button>
        <Button component="a" variant="subtle" href={href.help('main-job')}>
          {t('guide.help')}
        </Button>
        {(next !== undefined || !dismissed) && (
          <Button variant={next ? 'subtle' : 'filled'} onClick={() => void act('settings:set', { onboardingDone: !dismissed })}>
            {t(dismissed ? 'guide.showAgain' : next ? 'guide.dismiss' : 'guide.finish')}
          </Button>
        )}
      </div>
    </div>
  );
}
