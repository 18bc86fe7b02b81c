import { loadCatalogue } from './catalogue.ts'
import { loadFaults } from './faults.ts'

/** Loads what the page needs before the first step. Call again after a failure. */
export function loadPage(): void {
  void loadCatalogue()
  void loadFaults()
}
