import { Spotlight } from '@mantine/spotlight';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './SearchEverything.module.css';
import { useSearchGroups } from './use-search-groups.ts';

/** The list scrolls by keyboard too; its props reach the scroll area, their type does not say so. */
const REACHABLE: object = { viewportProps: { tabIndex: 0 } };

/** Search everything (Ctrl or Cmd with K, from anywhere, also from a field). */
export function SearchEverything() {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [went, setWent] = useState(false);
  const groups = useSearchGroups(query, open);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      tagsToIgnore={[]}
      returnFocus={!went}
      onSpotlightOpen={() => {
        setOpen(true);
        setWent(false);
      }}
      onSpotlightClose={() => {
        setOpen(false);
        setQuery('');
      }}
      transitionProps={{ duration: 100 }}
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      attributes={{ content: { 'aria-label': t('app.search.open') } }}
    >
      <Spotlight.Search placeholder={t('app.search.placeholder')} aria-label={t('app.search.open')} />
      <Spotlight.ActionsList className={classes['list']!} {...REACHABLE} aria-label={t('app.search.results')} role="group">
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.title} label={group.title}>
            {group.found.map((one) => (
              <Spotlight.Action
                key={one.id}
                onClick={() => {
                  setWent(one.goes === true);
                  one.act();
                }}
              >
                <span className={classes['label']}>{one.label}</span>
                {one.detail !== '' && <span className={classes['detail']}>{one.detail}</span>}
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('app.search.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <Spotlight.Footer>
        <span className={classes['keys']}>{t('app.search.keys')}</span>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}
