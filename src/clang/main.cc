// clang/main.cc -- a clang that makes nothing but SPIR-V, of OpenCL C and of LLVM IR.
//
// Wheels have it next to the driver (tools/wheel.mk): it takes the command line that clc/command.c writes for
// clang-22, and writes the same bytes. It is clang's own driver and front end, linked statically with one back end;
// the driver's only command runs in this process. Headers are those of ../clang below its folder.
//
// SPDX-License-Identifier: MIT
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/FrontendActions.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

extern "C" {
void LLVMInitializeSPIRVTarget(void);
void LLVMInitializeSPIRVTargetInfo(void);
void LLVMInitializeSPIRVTargetMC(void);
void LLVMInitializeSPIRVAsmPrinter(void);
}

// Polly, which Debian's clang has built in: its passes would have to be asked for.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}, nullptr};
}

namespace {

using Arguments = llvm::SmallVectorImpl<const char *>;

// Where this program is, whatever it was called by.
std::string own_path(const char *name)
{
    static int here;

    return llvm::sys::fs::getMainExecutable(name, &here);
}

std::unique_ptr<clang::FrontendAction> action_of(clang::frontend::ActionKind kind)
{
    switch (kind) {
    case clang::frontend::EmitObj: return std::make_unique<clang::EmitObjAction>();
    case clang::frontend::EmitAssembly: return std::make_unique<clang::EmitAssemblyAction>();
    case clang::frontend::EmitBC: return std::make_unique<clang::EmitBCAction>();
    case clang::frontend::EmitLLVM: return std::make_unique<clang::EmitLLVMAction>();
    case clang::frontend::ParseSyntaxOnly: return std::make_unique<clang::SyntaxOnlyAction>();
    case clang::frontend::PrintPreprocessedInput: return std::make_unique<clang::PrintPreprocessedAction>();
    default: return nullptr;
    }
}

// Options of LLVM's, behind -mllvm.
void set_llvm_options(const clang::FrontendOptions &options)
{
    std::vector<const char *> words{"clang (LLVM option parsing)"};

    for (const std::string &word : options.LLVMArgs)
        words.push_back(word.c_str());
    words.push_back(nullptr);
    if (words.size() > 2)
        llvm::cl::ParseCommandLineOptions(int(words.size()) - 1, words.data());
}

// The command that the driver would start as a process.
int compile(Arguments &args)
{
    clang::CompilerInstance clang;
    clang::DiagnosticOptions options;
    auto *buffered = new clang::TextDiagnosticBuffer;
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, buffered);
    llvm::ArrayRef<const char *> words(args);
    bool is_fine = clang::CompilerInvocation::CreateFromArgs(clang.getInvocation(), words.drop_front(2), diagnostics, args[0]);
    std::unique_ptr<clang::FrontendAction> action = action_of(clang.getFrontendOpts().ProgramAction);

    clang.createVirtualFileSystem();
    clang.createDiagnostics();
    if (!clang.hasDiagnostics())
        return 1;
    buffered->FlushDiagnostics(clang.getDiagnostics());
    if (!action)
        llvm::errs() << "clang: error: this compiler makes SPIR-V, LLVM IR and preprocessed text only\n";
    if (!is_fine || !action || clang.getDiagnostics().hasErrorOccurred())
        return 1;
    set_llvm_options(clang.getFrontendOpts());
    return clang.ExecuteAction(*action) ? 0 : 1;
}

int drive(Arguments &args, const std::string &path)
{
    std::unique_ptr<clang::DiagnosticOptions> options = clang::CreateAndPopulateDiagOpts(args);
    auto *printer = new clang::TextDiagnosticPrinter(llvm::errs(), *options);
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), *options, printer);
    clang::driver::Driver driver(path, "spirv64", diagnostics);
    std::unique_ptr<clang::driver::Compilation> compilation;
    llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 4> failed;
    int status;

    printer->setPrefix("clang");
    clang::ProcessWarningOptions(diagnostics, *options, *llvm::vfs::getRealFileSystem(), false);
    driver.ResourceDir = llvm::sys::path::parent_path(path).str() + "/clang";
    driver.CC1Main = compile;
    compilation.reset(driver.BuildCompilation(args));
    if (!compilation || compilation->containsError())
        return 1;
    status = driver.ExecuteCompilation(*compilation, failed);
    for (const auto &one : failed)
        if (one.first != 0)
            status = one.first;
    diagnostics.getClient()->finish();
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    llvm::SmallVector<const char *, 128> args(argv, argv + argc);
    llvm::BumpPtrAllocator allocator;
    std::string path = own_path(argv[0]);

    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    if (llvm::Error error = clang::driver::expandResponseFiles(args, false, allocator)) {
        llvm::errs() << llvm::toString(std::move(error)) << '\n';
        return 1;
    }
    return args.size() > 1 && llvm::StringRef(args[1]) == "-cc1" ? compile(args) : drive(args, path);
}
