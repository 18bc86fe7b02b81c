import { render } from 'preact'
import { Page } from './page.tsx'
import { loadCatalogue } from './state/catalogue.ts'

const container = document.getElementById('page')
if (container === null) throw new Error('The page has no element "page"')
render(<Page />, container)
void loadCatalogue()
