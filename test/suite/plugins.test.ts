import { runFiles } from '../helpers/run-files.ts'

runFiles(import.meta)
