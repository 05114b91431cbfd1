import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { sizeWords } from '../../parts/size-words.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import css from './Attach.module.css';
import { attachedKey, type AttachedResource } from './attached.ts';

interface ChipsProps {
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  readonly resources: readonly AttachedResource[];
  readonly onDropFile: (at: number) => void;
  readonly onDropResource: (at: number) => void;
}

const Cross = (): ReactElement => <svg width="10" height="10" viewBox="0 0 10 10" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true"><path d="m2 2 6 6M8 2 2 8" /></svg>;

/** What goes along with the next question, each with the way to leave it out. */
export const Chips = ({ files, resources, onDropFile, onDropResource }: ChipsProps): ReactElement | null => {
  const { t } = useTranslation();
  const language = useLanguage();
  if (files.length + resources.length === 0) return null;
  return (
    <ul className={css['chips']} aria-label={t('agent.attached')}>
      {resources.map((one, at) => {
        const filled = Object.entries(one.input).map(([name, value]) => `${name}=${value}`).join(', ');
        return (
          <li key={attachedKey(one)} data-kind="resource">
            <span><UntrustedText text={one.name} maxLength={50} />{filled === '' ? null : <> <code><UntrustedText text={filled} maxLength={60} /></code></>} <span className="g-muted"><UntrustedText text={one.serverId} maxLength={30} /></span></span>
            <button type="button" aria-label={t('agent.detach', { name: filled === '' ? one.name : `${one.name} ${filled}` })} onClick={() => onDropResource(at)}><Cross /></button>
          </li>
        );
      })}
      {files.map((file, at) => (
        <li key={`${file.name} ${at}`} data-kind="file">
          <span><UntrustedText text={file.name} maxLength={50} /> <span className="g-muted">{sizeWords(file.sizeBytes, language)}</span></span>
          <button type="button" aria-label={t('agent.detach', { name: file.name })} onClick={() => onDropFile(at)}><Cross /></button>
        </li>
      ))}
    </ul>
  );
};
