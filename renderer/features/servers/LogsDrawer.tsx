import { Checkbox, Drawer, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogLine, ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { clockTime, isoTime } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import classes from './LogsDrawer.module.css';
import { linesOf, logRows, mergedLines, NO_LINES, withHeard, withRead } from './log-lines.ts';

const READ_MISSED_MS = 3000;

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
  const [live, setLive] = useState({ lines: NO_LINES, dropped: 0 });
  const known = useRef<number | null>(null);
  useEffect(() => {
    known.current = state.phase === 'ready' ? state.value.nextSeq : null;
  }, [state]);
  useEffect(() => {
    let next: number | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lines = NO_LINES;
    const show = (dropped: number): void => setLive((before) => ({ lines, dropped: Math.max(before.dropped, dropped) }));
    // of a flood only the last lines are told: what the host kept of the rest is read, now and then
    const readMissed = async (): Promise<void> => {
      timer = undefined;
      const answer = await bridge.request('servers:logs', { serverId: server.id });
      if (!answer.ok) return;
      lines = withRead(lines, answer.value.lines);
      show(answer.value.droppedLines);
    };
    const stop = bridge.on('server:log', (event) => {
      const [first] = event.lines;
      if (event.serverId !== server.id || first === undefined) return;
      const heard = withHeard(lines, event.lines);
      lines = heard.lines;
      const expected = next ?? known.current;
      if (heard.isCut || (expected !== null && first.seq > expected)) timer ??= setTimeout(() => void readMissed(), READ_MISSED_MS);
      next = event.lines.at(-1)!.seq + 1;
      show(event.droppedLines);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [server.id]);
  return (
    <LoadedView of={state} what={t('servers.logs.loading')} retry={reload}>
      {(logs) => {
        const lines = mergedLines(logs.lines, linesOf(live.lines));
        const dropped = Math.max(logs.droppedLines, live.dropped, server.diagnostics.stderrDroppedLines);
        const facts = [
          ...(lines.length > 0 ? [t('servers.logs.count', { count: lines.length })] : []),
          ...(dropped > 0 ? [t('servers.logs.dropped', { count: dropped })] : []),
          ...(server.diagnostics.junkLines > 0 ? [t('servers.logs.junk', { count: server.diagnostics.junkLines })] : []),
        ];
        return (
          <>
            {facts.length > 0 && <p className={`${classes['count']} g-muted g-small`}>{facts.reduce((first, second) => t('servers.sentences', { first, second }))}</p>}
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
  const [word, setWord] = useState('');
  const rows = useMemo(() => logRows(lines, word), [lines, word]);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => 20, overscan: 20 });
  useEffect(() => {
    if (follow) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows.length, follow, virtual]);
  return (
    <>
      <div className={classes['tools']}>
        <TextInput size="xs" value={word} onChange={(event) => setWord(event.currentTarget.value)} placeholder={t('servers.logs.find')} aria-label={t('servers.logs.find')} />
        <Checkbox size="xs" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} label={t('servers.logs.follow')} />
        <CopyButton text={() => lines.map((line) => `${isoTime(line.at) ?? ''} ${line.source} ${line.text}${line.count === undefined ? '' : ` (${t('servers.logs.times', { count: line.count })})`}`).join('\n')} name={t('servers.logs.all')} words={t('servers.logs.copy')} />
      </div>
      <div ref={scroller} className={classes['lines']} tabIndex={0} role="region" aria-label={t('servers.logs.lines')}>
        {rows.length === 0 && <p className={`${classes['gap']} g-muted`}>{t('servers.logs.noneFound')}</p>}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            const place = { ref: virtual.measureElement, 'data-index': item.index, style: { transform: `translateY(${item.start}px)` } };
            if (row === undefined) return null;
            if (row.kind === 'gap') return <div key={`gap-${row.before}`} {...place} className={`${classes['line']} ${classes['gap']} g-muted`}>{t('servers.logs.gap', { count: row.count })}</div>;
            const { line } = row;
            return (
              <div key={line.seq} {...place} data-source={line.source} className={classes['line']}>
                <time dateTime={isoTime(line.at)}>{clockTime(line.at)}</time>
                <span className={classes['source']}>{t(`servers.logs.source.${line.source}`)}</span>
                <span className={classes['text']}>
                  <UntrustedText text={line.text} maxLength={2000} />
                </span>
                {line.count !== undefined && <span className={classes['times']}>{t('servers.logs.times', { count: line.count })}</span>}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
