//! Declares a module for each file in `src/requirements`, and lists the functions `requirements` of these modules.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("src/requirements");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut modules = String::new();
    let mut subjects = String::new();
    for area in entries(&folder)?.iter().filter(|path| path.is_dir()) {
        let area_name = name(area);
        writeln!(modules, "mod {area_name} {{").expect("a string takes all text");
        for subject in entries(area)? {
            let subject_name = name(&subject);
            writeln!(modules, "    #[path = r\"{}\"]\n    pub(super) mod {subject_name};", subject.display())
                .expect("as above");
            writeln!(subjects, "    {area_name}::{subject_name}::requirements,").expect("as above");
        }
        modules.push_str("}\n");
    }
    let listed = format!(
        "{modules}\n/// Functions that return the requirements of one subject.\nconst SUBJECTS: &[fn() -> Vec<Requirement>] = &[\n{subjects}];\n"
    );
    fs::write(Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("requirements.rs"), listed)
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("names of modules are ASCII")
}
