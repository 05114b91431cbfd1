import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApprovalDialogHost } from '../features/approvals/ApprovalDialogHost.tsx';
import { QuestionDialogHost } from '../features/questions/QuestionDialogHost.tsx';
import { GuideStrip } from '../features/guide/GuideStrip.tsx';
import { href } from '../routes.ts';
import { useHealth } from '../stores/health.ts';
import { Banners } from './Banners.tsx';
import classes from './Frame.module.css';
import { HostEdge } from './HostEdge.tsx';
import { LaterParts } from './LaterParts.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { Pages } from './Pages.tsx';
import { Rail } from './Rail.tsx';
import { TopBar } from './TopBar.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { useKeys } from './use-keys.ts';
import { useLastPlace } from './use-last-place.ts';
import { useRoute } from './use-route.ts';

/** Left rail, where am I, the page, and the host's state in words. A new page takes the focus, so that a screen reader follows. */
export function Frame() {
  const { t } = useTranslation();
  const { hash, route } = useRoute();
  const main = useRef<HTMLElement>(null);
  // a window that was never let in has nothing to show but why
  const outside = useHealth((state) => state.refused !== null && state.health.phase !== 'ready');
  useKeys();
  useFocusKept(main);
  useLastPlace(hash);
  // what stands behind `?` narrows a page; it is no other page
  const place = hash.split('?', 1)[0]!;
  const firstPlace = useRef(place);

  useEffect(() => {
    if (firstPlace.current === place || firstPlace.current === '') {
      firstPlace.current = place === '' ? '' : 'seen';
      return;
    }
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo({ top: 0 });
  }, [place]);

  return (
    <div className={classes['frame']}>
      <Rail
        route={route}
        skip={
          <button type="button" className={classes['skip']} onClick={() => main.current?.focus()}>
            {t('app.skip')}
          </button>
        }
      />
      <TopBar route={route} />
      <main ref={main} className={classes['main']} tabIndex={-1} id="main">
        <Banners />
        {outside ? null : (
          <>
            <GuideStrip here={route.page} />
            <div className={classes['page']}>
              <PageBoundary key={place === '' ? href.market() : place}>
                <Pages route={route} />
              </PageBoundary>
            </div>
          </>
        )}
      </main>
      <HostEdge />
      <LaterParts />
      <div className={classes['asks']}>
        <PageBoundary>
          <ApprovalDialogHost />
        </PageBoundary>
        <PageBoundary>
          <QuestionDialogHost />
        </PageBoundary>
      </div>
    </div>
  );
}
