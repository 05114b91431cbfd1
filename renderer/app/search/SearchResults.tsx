import { useTranslation } from 'react-i18next';
import classes from './SearchEverything.module.css';
import type { SearchGroup, SearchItem } from './search-items.ts';

interface SearchResultsProps {
  readonly id: string;
  readonly groups: readonly SearchGroup[];
  readonly active: string | null;
  readonly onPoint: (itemId: string) => void;
  readonly onTake: (item: SearchItem) => void;
}

/** An id may hold no space, and names may hold anything: the place it is. */
export const optionId = (id: string, number: number): string => `${id}-option-${number}`;

/** The list that the field commands, by kind. */
export function SearchResults({ id, groups, active, onPoint, onTake }: SearchResultsProps) {
  const { t } = useTranslation();
  let number = -1;
  return (
    <div id={`${id}-list`} className={classes['list']} role="listbox" aria-label={t('app.search.results')} hidden={groups.length === 0}>
      {groups.map((group) => (
        <div key={group.kind} role="group" aria-labelledby={`${id}-of-${group.kind}`}>
          <p id={`${id}-of-${group.kind}`} className={classes['kind']} role="presentation">
            {t(`app.search.kind.${group.kind}`)}
          </p>
          {group.items.map((item) => {
            number += 1;
            return <Option key={item.id} id={optionId(id, number)} item={item} active={item.id === active} onPoint={onPoint} onTake={onTake} />;
          })}
        </div>
      ))}
    </div>
  );
}

interface OptionProps extends Pick<SearchResultsProps, 'onPoint' | 'onTake'> {
  readonly id: string;
  readonly item: SearchItem;
  readonly active: boolean;
}

/** Its keys are those of the field, which has the focus. A list that moves under a resting pointer is not pointed at. */
function Option({ id, item, active, onPoint, onTake }: OptionProps) {
  const { label, detail } = item;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} role="option" aria-selected={active} className={classes['item']} onMouseMove={({ movementX, movementY }) => active || (movementX === 0 && movementY === 0) || onPoint(item.id)} onClick={() => onTake(item)}>
      <bdi className={classes['label']}>{label}</bdi>
      {detail !== '' && <bdi className={classes['detail']}>{detail}</bdi>}
    </div>
  );
}
