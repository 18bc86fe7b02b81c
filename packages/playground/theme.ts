// Runs before the first paint, so that the page does not flash in the other theme.
let chosen: string | null = null
try {
  chosen = localStorage.getItem('theme')
} catch {
  // If localStorage is blocked, the system's preference applies.
}
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
