// Runs before the first paint, so that the page does not flash in the other theme.
let chosen: string | null = null
try {
  chosen = localStorage.getItem('theme')
} catch {
  // localStorage may be blocked. The system's preference then applies.
}
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
