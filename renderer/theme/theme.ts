import { Checkbox, createTheme, defaultVariantColorsResolver, Radio, Switch, type MantineColorsTuple } from '@mantine/core';
import { tokens } from './tokens.ts';

const shades = (soft: string, strong: string, dark: string): MantineColorsTuple => [soft, soft, soft, dark, dark, strong, strong, strong, strong, strong];

/** System fonts with CJK fall-backs (ui.md): what the desktop has, never a downloaded one. */
const SANS = [
  '-apple-system',
  'BlinkMacSystemFont',
  '"Segoe UI"',
  'Inter',
  '"Noto Sans"',
  'Cantarell',
  'Ubuntu',
  '"Liberation Sans"',
  'system-ui',
  '"PingFang SC"',
  '"Microsoft YaHei"',
  '"Noto Sans CJK SC"',
  '"Source Han Sans SC"',
  'sans-serif',
].join(', ');
const MONO = ['ui-monospace', '"SF Mono"', 'Menlo', 'Consolas', '"DejaVu Sans Mono"', '"Liberation Mono"', '"Noto Sans Mono CJK SC"', 'monospace'].join(', ');

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  colors: {
    accent: shades(tokens.light.accentSoft, tokens.light.accent, tokens.dark.accent),
    // Mantine paints its dark surfaces from this scale: text, dimmed, borders, hover, fields, body
    dark: [tokens.dark.ink, tokens.dark.ink, tokens.dark.muted, tokens.dark.muted, tokens.dark.line, tokens.dark.hover, tokens.dark.surface, tokens.dark.surface, tokens.dark.ground, tokens.dark.ground],
    danger: shades(tokens.light.highWriteSoft, tokens.light.highWrite, tokens.dark.highWrite),
  },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: '7px',
  radius: { xs: '4px', sm: '7px', md: '7px', lg: '10px', xl: '10px' },
  shadows: { xs: 'none', sm: 'none', md: 'none', lg: 'none', xl: 'none' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // white on the dark theme's accent has 2.2:1
  variantColorResolver: (input) => ({ ...defaultVariantColorsResolver(input), ...(input.variant === 'filled' ? { color: 'var(--g-on-accent)' } : {}) }),
  components: {
    Button: { defaultProps: { size: 'xs', variant: 'default', fw: 600, fz: 13 } },
    TextInput: { defaultProps: { size: 'sm' } },
    Switch: Switch.extend({
      defaultProps: { withThumbIndicator: false },
      vars: () => ({ root: { '--switch-height': '18px', '--switch-width': '32px', '--switch-thumb-size': '12px', '--switch-track-label-padding': '3px' } }),
    }),
    Checkbox: Checkbox.extend({ defaultProps: { radius: 'xs' }, vars: () => ({ root: { '--checkbox-icon-color': 'var(--g-on-accent)' } }) }),
    Radio: Radio.extend({ vars: () => ({ root: { '--radio-icon-color': 'var(--g-on-accent)' } }) }),
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 }, withArrow: false } },
    Modal: { defaultProps: { transitionProps: { duration: 120, transition: 'fade' }, overlayProps: { duration: 120 }, centered: true, radius: 'lg' } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 }, overlayProps: { duration: 120 } } },
    // inside its landmark, the first item focused: what opens a menu by key goes on by key
    Menu: { defaultProps: { transitionProps: { duration: 100 }, withinPortal: false, withInitialFocusPlaceholder: false } },
    Select: { defaultProps: { comboboxProps: { transitionProps: { duration: 100 }, withinPortal: false } } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
});
