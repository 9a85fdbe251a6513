const themes = ['dark', 'light'] as const;
export type ThemeName = (typeof themes)[number];

/** Colours as in the pages of the service. Each text has a contrast of at least 4.5 to the sheet. */
export interface Theme {
  readonly sheet: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly up: string;
  readonly down: string;
}

export const themeOf: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    sheet: '#1e2023',
    line: '#383a3d',
    ink: '#ebe7df',
    soft: '#a8a297',
    accent: '#8fbbd9',
    up: '#74cf9d',
    down: '#ff9488',
  },
  light: {
    sheet: '#fffefb',
    line: '#dad4c7',
    ink: '#211f1b',
    soft: '#625c52',
    accent: '#274c66',
    up: '#1c6a45',
    down: '#ae2a20',
  },
};
