// Runs before the page is drawn, so that a chosen theme does not flash in the other one's colours.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
