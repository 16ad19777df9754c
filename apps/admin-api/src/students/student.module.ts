import { collectionModule } from '@lyceum/collections';
import { StudentImports } from './student-imports.service.js';
import { studentCollection } from './student.operations.js';
import { StudentRepository } from './student.repository.js';
import { StudentService } from './student.service.js';

export const StudentModule = collectionModule({
  operations: [studentCollection],
  services: [StudentService, StudentImports],
  providers: [StudentRepository],
});
