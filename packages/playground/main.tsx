import { render } from 'preact'
import { Page } from './page.tsx'
import { loadCatalogue } from './state/catalogue.ts'
import { loadFaults } from './state/faults.ts'
import { loadNodes } from './state/nodes.ts'

const container = document.getElementById('page')
if (container === null) throw new Error('The page has no element "page"')
render(<Page />, container)
void loadCatalogue()
void loadNodes()
void loadFaults()
