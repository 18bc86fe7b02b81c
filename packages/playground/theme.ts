// Runs before the page is drawn, so that a chosen theme does not flash in the other one's colours.
let chosen: string | null = null
try {
  chosen = localStorage.getItem('theme')
} catch {
  // localStorage may be blocked. The system's preference then applies.
}
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
