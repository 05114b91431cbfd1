import { Combobox, ScrollArea, TextInput, useCombobox } from '@mantine/core';
import { useEffect, useId } from 'react';
import type { FocusEvent, KeyboardEvent, ReactElement, ReactNode } from 'react';
import { isKey, KEYS, listMove } from './keys.ts';
import css from './OptionsField.module.css';
import { useCommandedList } from './use-commanded-list.ts';

interface OptionsFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly required?: boolean;
  readonly size?: 'xs' | 'sm';
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly error?: ReactNode;
  readonly rightSection?: ReactNode;
  /** what stands in the field */
  readonly value: string;
  /** in the order of the answer, each id once */
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** the options are those of `value` */
  readonly answered: boolean;
  /** told where the answer has no option; without it there is then no list */
  readonly nothing?: string;
  readonly onChange: (value: string) => void;
  readonly onTake: (id: string) => void;
  readonly onFocus?: () => void;
  readonly onBlur?: (event: FocusEvent) => void;
}

/**
 * A text field with options that the host answers to what stands in it. While an answer is on its way the options before stay in sight and cannot be chosen, by key or by
 * pointer; what the list does and a screen reader is told follows the options that are there (WAI-ARIA, combobox with list autocomplete).
 */
export const OptionsField = ({ label, description, required = false, size = 'sm', placeholder, disabled = false, error, rightSection, value, options, answered, nothing, onChange, onTake, onFocus, onBlur }: OptionsFieldProps): ReactElement => {
  const id = useId();
  const combobox = useCombobox();
  const take = (taken: string): void => {
    combobox.closeDropdown();
    onTake(taken);
  };
  const list = useCommandedList({ words: value, ids: options.map((one) => one.id), answered, takesFirst: false, loops: true, onTake: take });
  const { active } = list;
  const isOpen = combobox.dropdownOpened && (options.length > 0 || (answered && nothing !== undefined));
  useEffect(() => {
    if (isOpen && list.told >= 0) document.getElementById(`${id}-${list.told}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, list.told, active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOpen) {
      if (list.onKeyDown(event)) return;
      if (!isKey(event, KEYS.leave.close) || event.nativeEvent.isComposing) return;
      combobox.closeDropdown();
      // what the field stands in is left by the next one
      event.preventDefault();
      event.stopPropagation();
    } else if (listMove(event) === 'down' || listMove(event) === 'up') {
      combobox.openDropdown();
      event.preventDefault();
    }
  };
  return (
    <Combobox store={combobox} size={size} disabled={disabled} withinPortal transitionProps={{ duration: 0 }} onOptionSubmit={(taken) => { if (answered) take(taken); }}>
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <TextInput
          role="combobox"
          aria-expanded={isOpen}
          aria-haspopup="listbox"
          aria-autocomplete="list"
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen && list.told >= 0 ? `${id}-${list.told}` : undefined}
          autoComplete="off"
          label={label}
          description={description}
          withAsterisk={required}
          size={size}
          placeholder={placeholder}
          disabled={disabled}
          error={error}
          rightSection={rightSection}
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onFocus={() => {
            combobox.openDropdown();
            onFocus?.();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={(event) => {
            combobox.closeDropdown();
            list.onBlur();
            onBlur?.(event);
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen} data-composed>
        <Combobox.Options id={`${id}-list`} aria-label={label} aria-busy={!answered} className={css['options']}>
          <ScrollArea.Autosize mah={220} type="scroll" scrollbarSize="var(--combobox-padding)" offsetScrollbars="y">
            {options.map((one, index) => (
              <Combobox.Option key={one.id} id={`${id}-${index}`} value={one.id} selected={isOpen && one.id === active} aria-selected={one.id === active} aria-disabled={!answered || undefined}>{one.label}</Combobox.Option>
            ))}
            {options.length === 0 && answered && nothing !== undefined ? <Combobox.Empty>{nothing}</Combobox.Empty> : null}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
