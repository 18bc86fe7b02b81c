import { runFiles } from './run-files.ts'

runFiles(import.meta)
