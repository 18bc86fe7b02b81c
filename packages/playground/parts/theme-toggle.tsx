import { signal } from '@preact/signals'
import { Icon } from './icon.tsx'

const { dataset } = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = signal(dataset['theme'] === undefined ? systemIsDark.matches : dataset['theme'] === 'dark')

systemIsDark.addEventListener('change', ({ matches }) => {
  if (dataset['theme'] === undefined) isDark.value = matches
})

function toggle(): void {
  isDark.value = !isDark.value
  const theme = isDark.value ? 'dark' : 'light'
  dataset['theme'] = theme
  try {
    // theme.ts reads the choice on page load.
    localStorage.setItem('theme', theme)
  } catch {
    // If localStorage is blocked, the choice lasts only until the user leaves the page.
  }
}

/** Renders the switch between light and dark. Defaults to the system's preference. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      class="icon-button"
      aria-pressed={isDark.value}
      aria-label="Dark theme"
      title="Dark theme"
      onClick={toggle}
    >
      <Icon name={isDark.value ? 'sun' : 'moon'} />
    </button>
  )
}
