// Runs before the page is drawn, so that a chosen theme does not flash in the other one's colours.
let chosen: string | null = null
try {
  chosen = localStorage.getItem('theme')
} catch {
  // A browser may forbid the page its storage: the system's choice holds.
}
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
