import { render } from 'preact'
import { Page } from './page.tsx'
import { loadPage } from './state/load.ts'

const container = document.getElementById('page')
if (container === null) throw new Error('The page has no element "page"')
render(<Page />, container)
loadPage()
