import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { CHAPTERS, type Chapter } from './chapters.ts';
import { anchorsOf } from './guide-outline.ts';
import classes from './Help.module.css';
import { HelpText } from './HelpText.tsx';
import { useGuideTexts } from './use-guide-texts.ts';

/** The guide that comes with Gantry, in the window's language; it needs no network. */
export function HelpPage({ chapter: asked, anchor }: { readonly chapter: string | null; readonly anchor: string | null }) {
  const { t } = useTranslation();
  const { state, again } = useGuideTexts();
  const chapter: Chapter | undefined = asked === null ? 'start' : CHAPTERS.find((one) => one === asked);
  const text = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (state.phase !== 'ready' || anchor === null) return;
    const at = text.current?.querySelector<HTMLElement>(`#${CSS.escape(anchor)}`);
    if (!at) return;
    at.tabIndex = -1;
    // after the frame has put a new page to its top
    const frame = requestAnimationFrame(() => {
      at.focus({ preventScroll: true });
      at.scrollIntoView({ block: 'start' });
    });
    return () => cancelAnimationFrame(frame);
  }, [state, chapter, anchor]);
  if (state.phase === 'loading') return <StateView kind="loading" rows={8} />;
  const toStart = (
    <Button component="a" href={href.help()}>
      {t('help.toStart')}
    </Button>
  );
  if (state.phase === 'failed') return <StateView kind="empty" page title={t('help.failed.title')} body={t('help.failed.body')} action={<Button onClick={again}>{t('parts.fault.retry')}</Button>} />;
  if (chapter === undefined) return <StateView kind="empty" page title={t('help.noPage.title')} body={t('help.noPage.body', { name: asked })} action={toStart} />;
  const { guide, language } = state;
  const titleOf = (one: Chapter): string => anchorsOf(guide.texts[one], guide.english[one])[0]?.heading.text ?? one;
  const next = CHAPTERS[CHAPTERS.indexOf(chapter) + 1];
  return (
    <div className={classes['page']}>
      <nav className={classes['contents']} aria-label={t('help.contents')}>
        <ol>
          {CHAPTERS.map((one) => (
            <li key={one}>
              <a href={href.help(one)} {...(one === chapter ? { 'aria-current': 'page' } : {})}>
                {titleOf(one)}
              </a>
              {one === chapter && (
                <ol>
                  {anchorsOf(guide.texts[one], guide.english[one])
                    .filter(({ heading }) => heading.level === 2)
                    .map(({ id, heading }) => (
                      <li key={id}>
                        <a href={href.help(one, id)}>{heading.text}</a>
                      </li>
                    ))}
                </ol>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <article ref={text} className={classes['text']} lang={language === 'zh' ? 'zh-CN' : 'en'}>
        <HelpText chapter={chapter} language={language} guide={guide} />
        {next !== undefined && (
          <p className={classes['next']}>
            <Button component="a" href={href.help(next)}>
              {t('help.next', { title: titleOf(next) })}
            </Button>
          </p>
        )}
      </article>
    </div>
  );
}
