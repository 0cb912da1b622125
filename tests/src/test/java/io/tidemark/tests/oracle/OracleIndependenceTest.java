package io.tidemark.tests.oracle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class OracleIndependenceTest {

  @Test
  void oracleUsesNeitherTheProductNorSpark() {
    JavaClasses oracle = new ClassFileImporter().importPackages(Oracle.class.getPackageName());
    ArchRule independent =
        classes()
            .that()
            .haveSimpleNameNotEndingWith("Test")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", Oracle.class.getPackageName())
            .because("an error that both share would be taken for the right answer");

    independent.check(oracle);
  }
}
