import { useTranslation } from 'react-i18next';
import type { CircuitState } from '../../../shared/server.ts';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { circuitLines } from './circuit-words.ts';

/** Why nothing is sent to a server for now, and until when; nothing while its circuit is closed. */
export function CircuitFacts({ circuit }: { readonly circuit: CircuitState }) {
  const { t, i18n } = useTranslation();
  if (circuit.state === 'closed') return null;
  return (
    <p className="g-muted g-small" data-circuit={circuit.state}>
      {circuitLines(circuit, t, (ms) => duration(ms, i18n.language)).join(i18n.language.startsWith('zh') ? '' : ' ')}
      {circuit.state === 'open' && circuit.until !== undefined && (
        <>
          <br />
          {t('servers.diagnosis.nextTry')}
          <TimeText at={circuit.until} />
        </>
      )}
    </p>
  );
}
