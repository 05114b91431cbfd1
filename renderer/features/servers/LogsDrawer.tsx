import { Checkbox, Drawer } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogLine, ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { clockTime } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import classes from './LogsDrawer.module.css';
import { mergedLines } from './log-lines.ts';

interface LogsDrawerProps {
  readonly server: ServerDetail;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** What the server wrote, live: its error output, stray lines on its protocol channel, and what the host says of it. */
export function LogsDrawer({ server, opened, onClose }: LogsDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="min(760px, 92vw)" title={t('servers.logs.title', { name: server.name })} closeButtonProps={{ 'aria-label': t('servers.close') }} classNames={{ body: classes['drawer']!, content: classes['content']! }}>
      {opened && <Logs server={server} />}
    </Drawer>
  );
}

function Logs({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const { state, reload } = useRequest('servers:logs', { serverId: server.id });
  const [live, setLive] = useState<readonly LogLine[]>([]);
  useEffect(() => bridge.on('server:log', (event) => event.serverId === server.id && setLive((before) => mergedLines(before, event.lines))), [server.id]);
  return (
    <LoadedView of={state} what={t('servers.logs.loading')} retry={reload}>
      {(logs) => {
        const lines = mergedLines(logs.lines, live);
        const dropped = Math.max(logs.droppedLines, server.diagnostics.stderrDroppedLines);
        return (
          <>
            <p className={`${classes['count']} g-muted g-small`}>
              {[
                t('servers.logs.count', { count: lines.length }),
                ...(dropped > 0 ? [t('servers.logs.dropped', { count: dropped })] : []),
                ...(server.diagnostics.junkLines > 0 ? [t('servers.logs.junk', { count: server.diagnostics.junkLines })] : []),
              ].reduce((first, second) => t('servers.sentences', { first, second }))}
            </p>
            {lines.length === 0 ? <StateView kind="empty" title={t('servers.logs.empty')} body={t('servers.logs.emptyBody')} /> : <Lines lines={lines} />}
          </>
        );
      }}
    </LoadedView>
  );
}

function Lines({ lines }: { readonly lines: readonly LogLine[] }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => 20, overscan: 20 });
  useEffect(() => {
    if (follow) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines.length, follow, virtual]);
  return (
    <>
      <div className={classes['tools']}>
        <Checkbox size="xs" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} label={t('servers.logs.follow')} />
        <CopyButton text={lines.map((line) => `${new Date(line.at).toISOString()} ${line.source} ${line.text}`).join('\n')} name={t('servers.logs.all')} words={t('servers.logs.copy')} />
      </div>
      <div ref={scroller} className={classes['lines']} tabIndex={0} role="region" aria-label={t('servers.logs.lines')}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const line = lines[item.index];
            return (
              line && (
                <div key={line.seq} ref={virtual.measureElement} data-index={item.index} data-source={line.source} className={classes['line']} style={{ transform: `translateY(${item.start}px)` }}>
                  <time dateTime={new Date(line.at).toISOString()}>{clockTime(line.at)}</time>
                  <span className={classes['source']}>{t(`servers.logs.source.${line.source}`)}</span>
                  <span className={classes['text']}>
                    <UntrustedText text={line.text} maxLength={2000} />
                  </span>
                </div>
              )
            );
          })}
        </div>
      </div>
    </>
  );
}
