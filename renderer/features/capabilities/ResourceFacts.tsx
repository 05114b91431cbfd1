import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import { JsonView } from '../../parts/JsonView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Capabilities.module.css';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const Mono = ({ text }: { readonly text: string }): ReactElement => <code className="g-mono"><UntrustedText text={text} maxLength={1_000} /></code>;

/** What a resource, a template or a prompt is by its own declaration: where it is named, of which type, what it takes. */
export const ResourceFacts = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const { definition, inputSchema, schemaDetail } = capability;
  const properties = isObject(inputSchema) && isObject(inputSchema['properties']) ? Object.keys(inputSchema['properties']) : [];
  const required = isObject(inputSchema) && Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
  const isOne = capability.kind === 'resource' && definition.uriTemplate === undefined;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...(definition.uri === undefined ? [] : [['uri', <Mono key="uri" text={definition.uri} />] as const]),
    ...(definition.uriTemplate === undefined ? [] : [['template', <Mono key="template" text={definition.uriTemplate} />] as const]),
    ...(definition.mimeType === undefined ? [] : [['mime', <Mono key="mime" text={definition.mimeType} />] as const]),
    ...(isOne ? [] : [['takes', properties.length === 0 ? t('capabilities.resource.nothing') : <ul key="takes" className={css['flags']}>{properties.slice(0, 100).map((name) => <li key={name}><Mono text={name} /> <span className="g-small g-muted">{t(required.includes(name) ? 'capabilities.resource.required' : 'capabilities.resource.optional')}</span></li>)}</ul>] as const]),
  ];
  return (
    <section className="g-panel" aria-label={t('capabilities.resource.facts')}>
      <h2 className="g-heading">{t('capabilities.resource.facts')}</h2>
      {schemaDetail.state === 'excluded' ? <p className={css['schemaState']} data-state="excluded">{t('capabilities.resource.unusable')}<UntrustedText text={schemaDetail.reason} maxLength={300} /></p> : null}
      <dl className={css['facts']}>{facts.map(([name, value]) => <div key={name}><dt>{t(`capabilities.resource.${name}`)}</dt><dd>{value}</dd></div>)}</dl>
      {capability.kind === 'resource' ? <p className="g-small g-muted">{t('capabilities.resource.opaque')}</p> : <p className="g-small g-muted">{t('capabilities.resource.by_person')}</p>}
      {definition.annotations === undefined ? null : <JsonView text={JSON.stringify(definition.annotations)} label={t('capabilities.resource.annotations')} maxHeight={160} />}
    </section>
  );
};
