//! What discards more than the files that a command names: whole trees, and what services hold. Harmful uses and harmless ones
//! that look like them.

use handrail_policy::Decision::{Allow, Ask};
use handrail_policy::{Config, Decision, Enforced, Policy, Rule, Surroundings, Verdict};

use crate::common::{allow, argv, deny, lists, path_rules, policy, verify};

const DESTRUCTIVE: &str = "effect.destructive";

fn decide(policy: &Policy, text: &str) -> Verdict {
    let roots = ["/repo".to_owned()];
    let rules = path_rules();
    let surroundings = Surroundings {
        directory: Some("/repo"),
        writable_roots: Some(&roots),
        path_rules: Some(&rules),
        ..Surroundings::default()
    };
    let verdict = policy.decide_script(text, &surroundings);
    verify(&verdict, text.len());
    verdict
}

/// Each with its first word listed, and whatever else these texts start.
fn each(lines: &[&str], decision: Decision) {
    let mut wrong = Vec::new();
    for line in lines {
        let first = line.split(' ').next().unwrap_or_default();
        let verdict = decide(&allow(&format!("{first} rm mktemp ls cat xargs find sudo")), line);
        let asked = verdict.reasons.iter().filter(|reason| reason.rule == DESTRUCTIVE).count();
        if verdict.decision != decision || asked != usize::from(decision == Ask) {
            wrong.push(format!("{line:?} {:?} {:#?}", verdict.decision, verdict.reasons));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whole_trees() {
    each(
        &[
            "rm -rf /",
            "rm -rf /*",
            "rm -fr --no-preserve-root /",
            "rm --recursive --force //",
            "rm -r -f ~",
            "rm -rf ~/",
            "rm -rf ~/*",
            "rm -rf $HOME",
            "rm -rf \"$HOME\"/*",
            "rm -Rf \"${HOME}/\"",
            "rm -rf /usr /etc",
            "rm -rf /home/../var",
            "rm -rf \"$DIR\"/*",
            "rm -rf $BUILD/",
            "DIR=dist; rm -rf \"$DIR\"/*",
            "rm -rf \"$(cat dir.txt)\"/cache",
            "sudo rm -rf /",
            "chmod -R 777 /",
            "chmod -R a+w ~",
            "chown -R nobody /etc",
            "chown --recursive me:me \"$HOME\"",
            "chgrp -hR staff /usr/",
            "for d in $(ls); do rm -rf \"$d\"/*; done",
        ],
        Ask,
    );
    each(
        &[
            "rm -rf dist",
            "rm -rf ./dist/* build",
            "rm -r *",
            "rm -rf /repo/target",
            "rm -rf /tmp/x",
            "rm -rf ~/project/dist",
            "rm -f /repo",
            "rm $FILE",
            "rm -rf \"$DIR\"",
            "T=$(mktemp -d); rm -rf \"$T\"",
            "rm -f \"$DIR\"/x.log",
            "chmod -R u+w src",
            "chmod -r /repo/secret",
            "chmod +x /repo",
            "chown -R me build",
            "find . -name node_modules | xargs rm -rf",
        ],
        Allow,
    );
}

#[test]
fn services() {
    each(
        &[
            "kubectl delete pod web-1",
            "kubectl -n prod delete deployment,service web",
            "kubectl --context=prod delete ns shop",
            "kubectl drain node-3 --ignore-daemonsets",
            "kubectl delete -f app.yaml --dry-run=none",
            "kubectl delete ns x --as --help",
            "kubectl scale deploy/web --replicas=0",
            "kubectl apply -f . --prune -l app=web",
            "helm uninstall web",
            "helm delete --purge web",
            "terraform destroy -auto-approve",
            "terraform apply -destroy",
            "terraform state rm aws_s3_bucket.a",
            "tofu destroy",
            "pulumi destroy --yes",
            "cdk destroy --all",
            "aws s3 rm s3://bucket --recursive",
            "aws s3 rb s3://bucket --force",
            "aws s3 sync . s3://bucket --delete",
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws rds delete-db-instance --db-instance-identifier a",
            "aws dynamodb delete-table --table-name a",
            "gcloud compute instances delete vm-1 --quiet",
            "gcloud projects delete shop",
            "gsutil -m rm -r gs://bucket",
            "az group delete --name shop --yes",
            "gh repo delete a/b --yes",
            "gh release delete v1",
            "docker system prune -af",
            "docker volume rm data",
            "docker rm -f db",
            "heroku apps:destroy --app shop",
            "heroku pg:reset DATABASE_URL",
            "fly apps destroy shop",
            "vercel remove shop --yes",
            "redis-cli FLUSHALL",
            "etcdctl del --prefix /",
            "zfs destroy -r tank/home",
            "doctl compute droplet delete 1",
            "firebase firestore:delete --all-collections",
            "curl -X DELETE https://api.example.com/users/1",
            "curl -sXDELETE https://api.example.com/users/1",
            "wget --method=DELETE https://a/1",
        ],
        Ask,
    );
    each(
        &[
            "kubectl get pods -n prod",
            "kubectl describe pod deleted-pod",
            "kubectl delete pod web-1 --dry-run=client",
            "kubectl logs deploy/web --since=1h",
            "kubectl scale deploy/web --replicas=3",
            "helm list -A",
            "helm uninstall web --dry-run",
            "terraform plan",
            "terraform fmt -check",
            "terraform apply -auto-approve",
            "pulumi preview",
            "aws s3 ls s3://bucket/delete-me/",
            "aws s3 sync . s3://bucket",
            "aws ec2 describe-instances",
            "aws s3 sync . s3://bucket --delete --dryrun",
            "gcloud compute instances list",
            "gh pr list --state closed",
            "gh pr merge 12 --squash --delete-branch",
            "docker ps -a",
            "docker images",
            "docker logs web",
            "heroku logs --tail",
            "redis-cli get removed",
            "zfs list",
            "curl -X POST https://api.example.com/users",
            "curl https://api.example.com/delete",
        ],
        Allow,
    );
}

#[test]
fn a_rule_that_names_the_use_answers_the_question() {
    let rule = Rule { program: "terraform".into(), args: Some(vec!["destroy".into()]) };
    let config =
        Config { allow: Some(vec![Rule::program("terraform"), rule]), ..Config::default() };
    let policy = Policy::new(config).expect("the lists are valid");
    for (line, decision) in
        [("terraform destroy -auto-approve", Allow), ("terraform workspace delete x", Ask)]
    {
        let verdict = policy.decide_line(line, Enforced::NOTHING);
        assert_eq!(verdict.decision, decision, "{line} {:?}", verdict.reasons);
    }
}

#[test]
fn under_a_deny_list_trees_ask_and_services_do_not() {
    let policy = deny("curl");
    assert_eq!(policy.decide_line("rm -rf /", Enforced::NOTHING).decision, Ask);
    assert_eq!(policy.decide_line("docker rm -f web", Enforced::NOTHING).decision, Allow);
}

#[test]
fn git_discards_work_by_other_words_too() {
    let policy = allow("git yes npm");
    for line in [
        "git checkout HEAD file",
        "git checkout main src/a.c src/b.c",
        "git -C sub checkout HEAD~1 file",
        "git checkout -p",
        "git checkout -qp HEAD",
        "git read-tree --reset -u HEAD",
        "git read-tree -mu HEAD",
        "git prune",
        "git gc --prune=now",
        "git submodule update --force",
        "git submodule deinit -f .",
        "git fetch -f origin main:main",
        "git tag -d v1",
        "git branch -f main HEAD~1",
        "git mv -f a b",
    ] {
        let verdict = decide(&policy, line);
        assert_eq!(verdict.decision, Ask, "{line} {:?}", verdict.reasons);
        assert_eq!(verdict.reasons[0].rule, DESTRUCTIVE, "{line}");
    }
    for line in [
        "git checkout main",
        "git checkout -b fix main",
        "git checkout -bfix main",
        "git checkout --track origin/main",
        "git checkout -B fix origin/fix",
        "git switch -c fix main",
        "git prune -n",
        "git gc",
        "git submodule update --init --recursive",
        "git fetch origin main",
        "git fetch --all --prune --tags",
        "git tag v1 && git tag -l && git tag -m first v2",
        "git branch -d old && git branch -M main && git branch -u origin/main",
        "git mv a b",
        "git read-tree HEAD",
    ] {
        let verdict = decide(&policy, line);
        assert_eq!(verdict.decision, Allow, "{line} {:?}", verdict.reasons);
    }
}

#[test]
fn who_may_publish_is_not_changed_unasked() {
    let policy = allow("npm");
    for line in [
        "npm owner add ann",
        "npm token create",
        "npm access grant read-write a:b",
        "npm team create a:b",
        "npm org set a ann",
        "npm login",
        "npm star a",
    ] {
        let verdict = decide(&policy, line);
        assert_eq!(verdict.decision, Ask, "{line} {:?}", verdict.reasons);
        assert_eq!(verdict.reasons[0].rule, "effect.upload", "{line}");
    }
    for line in [
        "npm owner ls",
        "npm token list",
        "npm access list packages",
        "npm team ls a",
        "npm whoami",
    ] {
        assert_eq!(decide(&policy, line).decision, Allow, "{line}");
    }
}

/// One cause, one reason: an option that is written out is not the beginning of two others.
#[test]
fn a_cause_is_told_once() {
    for (list, line) in [
        ("+git", "git push --force"),
        ("+git", "git push --force-with-lease origin main"),
        ("+git", "git push -f"),
        ("+git;-rm", "git clean -fdx"),
        ("+find;-rm", "find . -delete"),
        ("+rclone", "rclone delete a:b"),
        ("+docker", "docker volume rm a"),
        ("+zip", "zip -m a b"),
    ] {
        let verdict = policy(&lists(list)).decide_line(line, Enforced::NOTHING);
        assert_eq!(verdict.decision, Ask, "{line}");
        assert_eq!(verdict.reasons.len(), 1, "{line} {:#?}", verdict.reasons);
    }
}

#[test]
fn what_only_shows_discards_nothing() {
    for line in ["git clean -n", "git clean -nd", "git clean -nfdx", "git clean --dry-run --force"]
    {
        for policy in [allow("git"), deny("rm")] {
            let verdict = policy.decide_line(line, Enforced::NOTHING);
            assert_eq!(verdict.decision, Allow, "{line} {:?}", verdict.reasons);
        }
    }
    let argv = argv(&["git", "clean", "-f", "-en"]);
    assert_eq!(allow("git").decide_argv(&argv, Enforced::NOTHING).decision, Ask);
}
